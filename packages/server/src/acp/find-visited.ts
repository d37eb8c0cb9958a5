/** The endpoint that a request's target names. */
export interface Visited {
  /** The route's template. */
  readonly route: string;
  /** Undefined: the default agent. */
  readonly agentName: string | undefined;
}

export const DEFAULT_ROUTE = '/acp';
export const AGENT_ROUTE = '/acp/agents/:name';

const AGENT_PATH = /^\/acp\/agents\/([^/]+)$/;

/** Which ACP endpoint a target such as `/acp/agents/claude` is; undefined when it is none. */
export function findVisited(target: string): Visited | undefined {
  const [path = ''] = target.split('?', 1);
  if (path === DEFAULT_ROUTE) return { route: DEFAULT_ROUTE, agentName: undefined };
  const name = AGENT_PATH.exec(path)?.[1];
  if (name === undefined) return undefined;
  try {
    return { route: AGENT_ROUTE, agentName: decodeURIComponent(name) };
  } catch {
    return undefined;
  }
}
