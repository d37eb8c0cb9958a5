import type { SessionInput, SessionSettings, SessionState, StepResult } from '@signalbox/core';

/** One decision and the states around it. */
export interface Decided {
  readonly before: SessionState;
  readonly input: SessionInput;
  readonly settings: SessionSettings;
  readonly result: StepResult;
  readonly after: SessionState;
}

/** What every single step must keep, whatever the state and the input. */
export function findViolations(decided: Decided): string[] {
  return [
    ...turnViolations(decided),
    ...permissionViolations(decided),
    ...sendViolations(decided),
    ...cancelViolations(decided),
    ...withdrawViolations(decided),
    ...settleViolations(decided),
    ...recoverViolations(decided),
  ];
}

/** Nothing of what a dead host ran is left running in the log. */
function recoverViolations({ input, after }: Decided): string[] {
  if (input.kind !== 'recover') return [];
  const isOver = after.agent.kind === 'absent' && after.turn.kind === 'idle';
  return isOver && after.runningTerminals.length === 0 ? [] : ['something outlives its host'];
}

/** Turns begin and end by turns, and whoever sent a prompt is told of its end. */
function turnViolations({ before, input, result }: Decided): string[] {
  const found: string[] = [];
  let running = before.turn.kind === 'running' ? before.turn.turnId : undefined;
  const settled = new Set(
    result.effects.flatMap((e) => (e.kind === 'settle_prompt' ? [e.promptId] : [])),
  );
  for (const event of result.events) {
    if (event.type === 'turn.started') {
      if (running !== undefined) found.push('a turn starts while another runs');
      running = event.turnId;
    }
    if (event.type === 'turn.finished') {
      if (running !== event.turnId) found.push('a turn ends that does not run');
      running = undefined;
      const isTold = settled.has(event.data.promptId) || input.kind === 'recover';
      if (!isTold) found.push('the end of a turn is told to nobody');
    }
  }
  return found;
}

/** A request is answered exactly when it is resolved, and does not outlive its turn. */
function permissionViolations({ before, input, result, after }: Decided): string[] {
  const found: string[] = [];
  const resolved = result.events.flatMap((e) =>
    e.type === 'permission.resolved' ? [e.data.permissionId] : [],
  );
  const answered = result.effects.flatMap((e) =>
    e.kind === 'answer_permission' ? [e.permissionId] : [],
  );
  const known = new Set(before.permissions.keys());
  for (const event of result.events) {
    if (event.type === 'permission.requested') known.add(event.data.permissionId);
  }
  if (new Set(resolved).size !== resolved.length) found.push('a request is resolved twice');
  for (const id of resolved) if (!known.has(id)) found.push('a request is resolved again');
  // After the host was away there is nobody left to be answered.
  if (input.kind !== 'recover' && String(answered) !== String(resolved)) {
    found.push('answers and resolutions differ');
  }
  const runningTurn = after.turn.kind === 'running' ? after.turn.turnId : undefined;
  for (const { turnId } of after.permissions.values()) {
    if (turnId !== undefined && turnId !== runningTurn) found.push('a request outlives its turn');
  }
  const isAgentExpected = after.agent.kind === 'running' || after.turn.kind === 'running';
  if (!isAgentExpected && after.permissions.size > 0) {
    found.push('a request waits without an agent');
  }
  return found;
}

/** Only a turn that runs, is not cancelled and has an agent goes out, and only once. */
function sendViolations({ before, result, after }: Decided): string[] {
  const found: string[] = [];
  const { turn, agent } = after;
  const sent = result.effects.filter((effect) => effect.kind === 'send_prompt');
  if (sent.length > 1) found.push('two prompts go out at once');
  for (const { turnId } of sent) {
    if (turn.kind !== 'running' || turn.turnId !== turnId) found.push('another turn goes out');
    else if (turn.cancel !== undefined) found.push('a cancelled turn goes out');
    if (agent.kind !== 'running') found.push('a prompt goes out to no agent');
    const wasOut =
      before.turn.kind === 'running' &&
      before.turn.turnId === turnId &&
      before.agent.kind === 'running';
    if (wasOut) found.push('a prompt goes out twice');
  }
  const isStarting = result.effects.some(({ kind }) => kind === 'start_agent');
  if (isStarting && agent.kind === 'running') found.push('an agent is started beside another');
  if (isStarting && turn.kind !== 'running') found.push('an agent is started for no turn');
  return found;
}

/** An agent that may go on about a stopped turn is not sent the next one, and no prompt waits for ever. */
function settleViolations({ before, input, settings, result, after }: Decided): string[] {
  const found: string[] = [];
  const { settling, queue, turn } = after;
  if (settling !== undefined && after.agent.kind !== 'running') found.push('no agent settles');
  if (settling !== undefined && turn.kind === 'running')
    found.push('a turn runs while one settles');
  const isWaiting = turn.kind === 'idle' && queue.length > 0;
  if (isWaiting !== (settling?.hold !== undefined))
    found.push('a hold without a prompt, or a prompt without');
  const sent = result.effects.some(({ kind }) => kind === 'send_prompt');
  const { settling: was } = before;
  if (sent && was !== undefined) {
    const quietMs = Math.max(was.quietMs, input.at - was.heardAt);
    if (quietMs < (was.hold?.quietMs ?? settings.settleMs))
      found.push('a prompt goes out too early');
  }
  return found;
}

/** Stop means stop: nothing that waited starts, and nothing is left waiting. */
function cancelViolations({ before, input, result, after }: Decided): string[] {
  if (input.kind !== 'cancel') return [];
  if (before.turn.kind !== 'running') {
    const isMissed = input.turnId === undefined && after.queue.length > 0;
    return isMissed ? ['a prompt still waits after a cancel'] : [];
  }
  const found: string[] = [];
  if (result.events.some(({ type }) => type === 'turn.started')) found.push('cancel starts a turn');
  const isMeant = input.turnId === undefined || input.turnId === before.turn.turnId;
  if (isMeant && after.queue.length > 0) found.push('a prompt still waits after a cancel');
  if (isMeant && after.permissions.size > 0) found.push('a request still waits after a cancel');
  return found;
}

/** A prompt that is taken back while it waits takes nothing with it. */
function withdrawViolations({ before, input, after }: Decided): string[] {
  if (input.kind !== 'withdraw_prompt') return [];
  const { turn, queue } = before;
  if (turn.kind === 'running' && turn.promptId === input.promptId) {
    return after.queue.length > 0 ? ['a prompt still waits after a cancel'] : [];
  }
  const kept = queue.filter(({ promptId }) => promptId !== input.promptId);
  const isKept =
    after.queue.map(({ promptId }) => promptId).join() === kept.map((p) => p.promptId).join();
  return isKept && after.turn === turn ? [] : ['a prompt that is taken back takes more with it'];
}
