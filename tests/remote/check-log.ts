import type { EventOf, SessionEventType, StoredEvent } from '@signalbox/core';
import { expect } from 'vitest';
import type { PromptEnd } from '../../packages/client/src/index.ts';

/** Every prompt has run exactly once, and has ended as its client was told. */
export function checkPrompts(
  log: readonly StoredEvent[],
  ends: ReadonlyMap<string, PromptEnd>,
): void {
  for (const [promptId, end] of ends) {
    const isOf = ({ data }: { data: { promptId: string } }): boolean => data.promptId === promptId;
    const started = eventsOf(log, 'turn.started').filter(isOf).length;
    const finished = eventsOf(log, 'turn.finished').filter(isOf);
    const dropped = eventsOf(log, 'prompt.dropped').filter(isOf);
    expect(started + dropped.length, `times that prompt ${promptId} ran`).toBe(1);
    if (end.kind === 'dropped') expect(dropped).toHaveLength(1);
    else expect(finished.map(({ data }) => data.end)).toEqual([end]);
  }
}

/** Every permission request was decided exactly once, and the agent was told what the log says. */
export function checkPermissions(log: readonly StoredEvent[]): void {
  const requested = eventsOf(log, 'permission.requested').map(({ data }) => data.permissionId);
  const resolved = eventsOf(log, 'permission.resolved');
  expect(resolved.map(({ data }) => data.permissionId).toSorted()).toEqual(requested.toSorted());
  const chosen = resolved.flatMap(({ data: { outcome } }) =>
    outcome.kind === 'selected' ? [outcome.optionId] : [],
  );
  const told = eventsOf(log, 'update').flatMap(({ data }) => toldOutcome(data.update.value));
  // An agent that was killed meanwhile has not said what it was told.
  expect(told.length).toBeLessThanOrEqual(chosen.length);
  let at = 0;
  for (const optionId of told) {
    at = chosen.indexOf(optionId, at) + 1;
    expect(
      at,
      `the agent was told ${told.join()} and the log says ${chosen.join()}`,
    ).toBeGreaterThan(0);
  }
}

/** The option that the scripted agent says it was told. */
function toldOutcome(update: unknown): string[] {
  const { content } = update as { content?: { text?: unknown } };
  const match = /^\{"outcome":"selected","optionId":"(\w+)"\}$/.exec(String(content?.text));
  return match?.[1] === undefined ? [] : [match[1]];
}

function eventsOf<T extends SessionEventType>(log: readonly StoredEvent[], type: T): EventOf<T>[] {
  return log.flatMap(({ event }) => (event.type === type ? [event as EventOf<T>] : []));
}
