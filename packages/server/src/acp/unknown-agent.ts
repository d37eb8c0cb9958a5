import type { Problem } from '../problem/problem.ts';

/** The problem of an agent that is not configured; undefined: of the default one. */
export function unknownAgent(name: string | undefined): Problem {
  const what =
    name === undefined ? 'No default agent is configured' : `No agent is named "${name}"`;
  return { status: 404, code: 'agent_unknown', detail: `${what}. See "signalbox agents".` };
}
