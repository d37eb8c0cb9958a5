import { at, isObject, isPresent, listAt, stringAt } from '../../json/json.ts';
import type { Answer } from '../../kit-client/kit-client.ts';
import { startLong } from './long-turn.ts';
import type { AgentProbe } from './probe.ts';
import type { ProbeRun, Ready } from './probe-run.ts';

/** Modes and options of a session. Only current values are set, which changes nothing for anybody. */
export const MODE_PROBES: readonly AgentProbe[] = [
  {
    name: 'setting the mode',
    ids: ['R-MOD-03', 'R-MOD-04', 'R-MOD-07'],
    blame: ['R-MOD-03'],
    isHostile: true,
    async run(probe) {
      const { client, sessionId, session } = await probe.ready();
      const modeId = stringAt(session, 'modes', 'currentModeId');
      if (modeId === undefined)
        return notOffered(probe, 'modes', ['R-MOD-03', 'R-MOD-04', 'R-MOD-07']);
      const set = await client.request('session/set_mode', { sessionId, modeId });
      const isOk = !set.isError && (isObject(set.result) || set.result === null);
      probe.judge('R-MOD-03', isOk, 'the current mode can be set', set.message);
      const told = client
        .updates(sessionId)
        .find(({ params }) => at(params, 'update', 'sessionUpdate') === 'current_mode_update');
      const how = told === undefined ? 'not told' : 'told';
      probe.pass('R-MOD-07', `a change by the client is ${how} by current_mode_update`, told);
      const unknown = await client.request('session/set_mode', {
        sessionId,
        modeId: 'kit-no-mode',
      });
      const text = `an unknown mode is answered with ${unknown.code ?? 'a result'}`;
      probe.found('R-MOD-04', unknown.isError, text, unknown.message);
    },
  },
  {
    name: 'modes and the mode option stay in step',
    ids: ['R-MOD-08'],
    async run(probe) {
      const { client, sessionId, session } = await probe.ready();
      const modes = listAt(session, 'modes', 'availableModes');
      const option = listAt(session, 'configOptions').find(
        (each) => at(each, 'category') === 'mode',
      );
      const other = modes.find((mode) => at(mode, 'id') !== at(session, 'modes', 'currentModeId'));
      if (option === undefined || other === undefined) {
        return notOffered(probe, 'modes together with a mode option', ['R-MOD-08']);
      }
      const modeId = stringAt(other, 'id') ?? '';
      const answer = await client.request('session/set_mode', { sessionId, modeId });
      if (answer.isError) return;
      await client.ping();
      const shown = client
        .updates(sessionId)
        .findLast(({ params }) => at(params, 'update', 'sessionUpdate') === 'config_option_update');
      const now = listAt(shown?.params, 'update', 'configOptions').find(
        (each) => at(each, 'id') === at(option, 'id'),
      );
      // Whether the change is told is left open; if it is, it has to be the same.
      if (now === undefined) return;
      const isSame = at(now, 'currentValue') === modeId;
      probe.judge('R-MOD-08', isSame, 'the mode option shows the mode that was set', shown);
    },
  },
  {
    name: 'setting an option',
    ids: ['R-CFG-09', 'R-CFG-10', 'R-CFG-11'],
    blame: ['R-CFG-09'],
    isHostile: true,
    async run(probe) {
      const ready = await probe.ready();
      const option = firstSelect(ready);
      if (option === undefined) {
        return notOffered(probe, 'config options', ['R-CFG-09', 'R-CFG-10', 'R-CFG-11']);
      }
      const { client, sessionId, session } = ready;
      const params = { sessionId, configId: at(option, 'id'), value: at(option, 'currentValue') };
      const set = await client.request('session/set_config_option', params);
      const count = listAt(set.result, 'configOptions').length;
      const isComplete =
        !set.isError && count >= Math.min(1, listAt(session, 'configOptions').length);
      probe.found('R-CFG-09', isComplete, `the answer lists ${count} options`, set.message);
      noteLosses(probe, ready, option, set);
      const typed = await client.request('session/set_config_option', { ...params, type: 'id' });
      probe.judge(
        'R-CFG-11',
        !typed.isError,
        'an unknown type with a string value is accepted',
        typed.message,
      );
      for (const wrong of [{ configId: 'kit-no-option' }, { value: 'kit-no-value' }]) {
        const answer = await client.request('session/set_config_option', { ...params, ...wrong });
        const text = `${JSON.stringify(wrong)} is answered with ${answer.code ?? 'a result'}`;
        probe.found('R-CFG-10', answer.isError, text, answer.message);
      }
    },
  },
  {
    name: 'setting mode and option during a turn',
    ids: ['R-MOD-03', 'R-CFG-12'],
    async run(probe) {
      const ready = await probe.ready();
      const { client, sessionId, session } = ready;
      const modeId = stringAt(session, 'modes', 'currentModeId');
      const option = firstSelect(ready);
      if (modeId === undefined && option === undefined) {
        return notOffered(probe, 'modes and config options', ['R-MOD-03', 'R-CFG-12']);
      }
      const turn = await startLong(probe, ready);
      if (modeId !== undefined) {
        const answer = await client.request('session/set_mode', { sessionId, modeId });
        probe.judge(
          'R-MOD-03',
          !answer.isError,
          'the mode can be set during a turn',
          answer.message,
        );
      }
      if (option !== undefined) {
        const params = { sessionId, configId: at(option, 'id'), value: at(option, 'currentValue') };
        const answer = await client.request('session/set_config_option', params);
        probe.judge(
          'R-CFG-12',
          !answer.isError,
          'an option can be set during a turn',
          answer.message,
        );
      }
      await client.notify('session/cancel', { sessionId });
      await probe.endOfTurn(client, turn);
    },
  },
];

/** An option that is set to the value that it has stays what it is, and the others stay there. */
function noteLosses(
  probe: ProbeRun,
  { session }: Ready,
  option: unknown,
  { isError, result, message }: Answer,
): void {
  if (isError) return;
  const after = new Map(
    listAt(result, 'configOptions').map((each) => [at(each, 'id'), at(each, 'currentValue')]),
  );
  const lost = listAt(session, 'configOptions').find((each) => !after.has(at(each, 'id')));
  if (lost !== undefined) {
    probe.warn('R-CFG-09', `the option ${String(at(lost, 'id'))} is not in the answer`, message);
  } else if (after.get(at(option, 'id')) !== at(option, 'currentValue')) {
    probe.warn('R-CFG-09', 'the value that was set does not show in the answer', message);
  }
}

function firstSelect({ session }: Ready): unknown {
  return listAt(session, 'configOptions').find(
    (option) => at(option, 'type') === 'select' && isPresent(option, 'currentValue'),
  );
}

function notOffered(probe: ProbeRun, what: string, ids: readonly string[]): void {
  for (const id of ids) probe.notApplicable(id, `the session offers no ${what}`);
}
