import { expect, test } from 'vitest';
import type { PermissionId } from '@signalbox/core';
import { isHostError, SimulatedClock, type Session } from '../../packages/host/src/index.ts';
import { command, Harness, ME, textsOf, untilEvent } from './harness.ts';

const END_TURN = { kind: 'stopped', stopReason: 'end_turn' };
const ALL = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];

function asking(options: readonly string[]) {
  return command(JSON.stringify({ options }));
}

async function requested(session: Session): Promise<PermissionId> {
  return (await untilEvent(session, 'permission.requested')).data.permissionId;
}

test('the agent gets the option that was chosen', async () => {
  const harness = await Harness.open();
  const session = await harness.create('asks-permission');
  const outcome = session.prompt(asking(ALL));
  await session.answerPermission(await requested(session), 'id-allow_always', ME);
  expect((await outcome).end).toEqual(END_TURN);
  const events = await harness.events(session);
  expect(textsOf(events)).toEqual(['{"outcome":"selected","optionId":"id-allow_always"}']);
  const [resolved] = await harness.eventsOf(session, 'permission.resolved');
  expect(resolved?.data.by).toEqual(ME);
});

test('of two answers at the same time one wins and the other learns that it came too late', async () => {
  const harness = await Harness.open();
  const session = await harness.create('asks-permission');
  for (let round = 0; round < 50; round += 1) {
    const outcome = session.prompt(asking(ALL));
    const before = round;
    const { data } = await untilEvent(session, 'permission.requested', ({ data }) => {
      return session.state.permissions.has(data.permissionId) && session.state.turnCount > before;
    });
    const answers = await Promise.allSettled(
      ['id-allow_once', 'id-reject_once'].map((optionId) =>
        session.answerPermission(data.permissionId, optionId, ME),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    const late = answers[1] as PromiseRejectedResult;
    expect(isHostError(late.reason, 'permission_not_answerable')).toBe(true);
    expect((await outcome).end).toEqual(END_TURN);
  }
  const texts = textsOf(await harness.events(session));
  expect(texts).toEqual(Array(50).fill('{"outcome":"selected","optionId":"id-allow_once"}'));
});

test('an option that is not offered is refused and the request still waits', async () => {
  const harness = await Harness.open();
  const session = await harness.create('asks-permission');
  const outcome = session.prompt(asking(['allow_once']));
  const permissionId = await requested(session);
  await expect(session.answerPermission(permissionId, 'id-other', ME)).rejects.toMatchObject({
    code: 'permission_not_answerable',
  });
  await session.answerPermission(permissionId, 'id-allow_once', ME);
  expect((await outcome).end).toEqual(END_TURN);
});

test.for([
  [
    ['allow_once', 'reject_always', 'reject_once'],
    '{"outcome":"selected","optionId":"id-reject_once"}',
  ],
  [['allow_once', 'reject_always'], '{"outcome":"selected","optionId":"id-reject_always"}'],
  [['allow_once'], '{"outcome":"cancelled"}'],
] as const)('without an answer in time the agent of %j receives %s', async ([options, told]) => {
  const clock = new SimulatedClock();
  const harness = await Harness.open({ clock, settings: { permissionTimeoutMs: 30_000 } });
  const session = await harness.create('asks-permission');
  const outcome = session.prompt(asking(options));
  const permissionId = await requested(session);
  clock.advance(29_999);
  expect(session.state.permissions.has(permissionId)).toBe(true);
  clock.advance(1);
  expect((await outcome).end).toEqual(END_TURN);
  expect(textsOf(await harness.events(session))).toEqual([told]);
  const [resolved] = await harness.eventsOf(session, 'permission.resolved');
  expect(resolved?.data.by).toEqual({ kind: 'deadline' });
  await expect(session.answerPermission(permissionId, 'id-allow_once', ME)).rejects.toMatchObject({
    code: 'permission_not_answerable',
  });
});

test('denying without naming an option gives the agent its reject option', async () => {
  const harness = await Harness.open();
  const session = await harness.create('asks-permission');
  const outcome = session.prompt(asking(ALL));
  await session.answerPermission(await requested(session), undefined, ME);
  expect((await outcome).end).toEqual(END_TURN);
  const texts = textsOf(await harness.events(session));
  expect(texts).toEqual(['{"outcome":"selected","optionId":"id-reject_once"}']);
});

test.for([
  ['allow', 'id-allow_once'],
  ['deny', 'id-reject_once'],
] as const)('level "%s" answers at once with %s', async ([policyLevel, optionId]) => {
  const harness = await Harness.open();
  const session = await harness.create('asks-permission', { policyLevel });
  expect((await session.prompt(asking(ALL))).end).toEqual(END_TURN);
  expect(textsOf(await harness.events(session))).toEqual([
    JSON.stringify({ outcome: 'selected', optionId }),
  ]);
});

test('a request that its agent does not wait for is withdrawn with the turn', async () => {
  const harness = await Harness.open();
  const session = await harness.create('withdraws-permission');
  expect((await session.prompt(command('x'))).end).toEqual(END_TURN);
  const permissionId = await requested(session);
  const [resolved] = await harness.eventsOf(session, 'permission.resolved');
  expect(resolved?.data).toMatchObject({ permissionId, outcome: { kind: 'cancelled' } });
  await expect(session.answerPermission(permissionId, 'yes', ME)).rejects.toMatchObject({
    code: 'permission_not_answerable',
  });
});

test('an answer behind the cancel of its turn is refused', async () => {
  const harness = await Harness.open();
  const session = await harness.create('asks-permission');
  const outcome = session.prompt(asking(['allow_once']));
  const permissionId = await requested(session);
  session.cancel(ME);
  await expect(session.answerPermission(permissionId, 'id-allow_once', ME)).rejects.toMatchObject({
    code: 'permission_not_answerable',
  });
  expect((await outcome).end).toEqual({ kind: 'stopped', stopReason: 'cancelled' });
});

test('a request stays answerable although nobody follows the session', async () => {
  const harness = await Harness.open();
  const session = await harness.create('asks-permission');
  const outcome = session.prompt(asking(['allow_once']));
  const permissionId = await requested(session);
  const reopened = await harness.host.openSession(session.id);
  expect([...reopened.state.permissions.keys()]).toEqual([permissionId]);
  await reopened.answerPermission(permissionId, 'id-allow_once', ME);
  expect((await outcome).end).toEqual(END_TURN);
});

test('the answer carries the id of its request exactly, however large (B16)', async () => {
  const harness = await Harness.open();
  const session = await harness.create('exact-ids', { policyLevel: 'allow' });
  const ids = ['2147483648', '9007199254740993', '12345678901234567890', '-1', '0', '""', '"0"'];
  expect((await session.prompt(command(JSON.stringify(ids)))).end).toEqual(END_TURN);
  expect(textsOf(await harness.events(session))).toEqual(ids);
});

test('a request that the agent takes back is put before nobody any more, and its turn goes on', async () => {
  const harness = await Harness.open();
  const session = await harness.create('takes-permission-back');
  const outcome = session.prompt(command(''));
  const first = await requested(session);
  const second = await untilEvent(
    session,
    'permission.requested',
    ({ data }) => data.permissionId !== first,
  );
  expect([...session.state.permissions.keys()]).toEqual([second.data.permissionId]);
  await expect(session.answerPermission(first, 'yes', ME)).rejects.toMatchObject({
    code: 'permission_not_answerable',
  });
  await session.answerPermission(second.data.permissionId, 'yes', ME);
  expect((await outcome).end).toEqual(END_TURN);
  expect(textsOf(await harness.events(session))).toEqual([
    '{"outcome":{"outcome":"cancelled"}}',
    '{"outcome":{"outcome":"selected","optionId":"yes"}}',
  ]);
  const [resolved] = await harness.eventsOf(session, 'permission.resolved');
  expect(resolved?.data).toMatchObject({
    outcome: { kind: 'cancelled' },
    withdrawal: 'taken_back',
  });
});
