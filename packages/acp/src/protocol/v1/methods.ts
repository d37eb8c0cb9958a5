import { METHOD_TABLE } from './methods.gen.ts';
import type { AgentCapabilities, ClientCapabilities } from './types.ts';

/** The name of a method of this version of the protocol. */
export type MethodName = keyof typeof METHOD_TABLE;

/** The announced capability that allows a call (R-INI-11). */
export interface Gate<Capabilities> {
  /** Where it is announced, for people: `agentCapabilities.loadSession`. */
  readonly capability: string;
  /** Whether the side that handles the method announced it. */
  readonly allows: (announced: Capabilities) => boolean;
}

interface MethodCommon {
  readonly kind: 'request' | 'notification';
  /** Whether the params always name a session. */
  readonly sessionScoped: boolean;
}

/** A method, the side that handles it, and what that side must have announced. */
export type Method =
  | (MethodCommon & { readonly side: 'agent'; readonly gate?: Gate<AgentCapabilities> })
  | (MethodCommon & { readonly side: 'client'; readonly gate?: Gate<ClientCapabilities> })
  | (MethodCommon & { readonly side: 'protocol'; readonly gate?: undefined });

/** What the two sides announced in `initialize`; absent means nothing was announced. */
export interface Announced {
  readonly agent?: AgentCapabilities | undefined;
  readonly client?: ClientCapabilities | undefined;
}

const TERMINAL: Gate<ClientCapabilities> = {
  capability: 'clientCapabilities.terminal',
  allows: (client) => client.terminal === true,
};

const AGENT_GATES: { readonly [name in MethodName]?: Gate<AgentCapabilities> } = {
  logout: {
    capability: 'agentCapabilities.auth.logout',
    allows: (agent) => isPresent(agent.auth?.logout),
  },
  'session/load': {
    capability: 'agentCapabilities.loadSession',
    allows: (agent) => agent.loadSession === true,
  },
  'session/list': sessionGate('list'),
  'session/resume': sessionGate('resume'),
  'session/close': sessionGate('close'),
  'session/delete': sessionGate('delete'),
};

const CLIENT_GATES: { readonly [name in MethodName]?: Gate<ClientCapabilities> } = {
  'fs/read_text_file': {
    capability: 'clientCapabilities.fs.readTextFile',
    allows: (client) => client.fs?.readTextFile === true,
  },
  'fs/write_text_file': {
    capability: 'clientCapabilities.fs.writeTextFile',
    allows: (client) => client.fs?.writeTextFile === true,
  },
  'terminal/create': TERMINAL,
  'terminal/output': TERMINAL,
  'terminal/wait_for_exit': TERMINAL,
  'terminal/kill': TERMINAL,
  'terminal/release': TERMINAL,
  // Which of the two modes a request may use depends on its params (R-ELI-01, R-ELI-02).
  'elicitation/create': {
    capability: 'clientCapabilities.elicitation.form or .url',
    allows: ({ elicitation }) => isPresent(elicitation?.form) || isPresent(elicitation?.url),
  },
  'elicitation/complete': {
    capability: 'clientCapabilities.elicitation.url',
    allows: (client) => isPresent(client.elicitation?.url),
  },
};

/**
 * Every method of this version: the side that handles it, its kind, the capability it needs. The
 * object has no prototype, so a name from the wire can be looked up as it is.
 */
export const METHODS: { readonly [name in MethodName]: Method } = createMethods();

/** Whether the protocol defines a method of this name. */
export function isMethodName(name: string): name is MethodName {
  return name in METHODS;
}

/**
 * The capability that the handling side would have to announce and has not, or undefined when the
 * call is allowed. Neither side may send what this forbids (R-INI-11).
 */
export function missingCapability(name: MethodName, announced: Announced): string | undefined {
  const method = METHODS[name];
  if (method.gate === undefined) return undefined;
  const isAllowed =
    method.side === 'agent'
      ? method.gate.allows(announced.agent ?? {})
      : method.gate.allows(announced.client ?? {});
  return isAllowed ? undefined : method.gate.capability;
}

function createMethods(): { readonly [name in MethodName]: Method } {
  const methods = Object.create(null) as Partial<Record<MethodName, Method>>;
  for (const name of Object.keys(METHOD_TABLE) as MethodName[]) {
    methods[name] = createMethod(name);
  }
  return Object.freeze(methods) as Record<MethodName, Method>;
}

function createMethod(name: MethodName): Method {
  const { side, kind, sessionScoped } = METHOD_TABLE[name];
  if (side === 'protocol') return { side, kind, sessionScoped };
  if (side === 'agent') {
    const gate = AGENT_GATES[name];
    return { side, kind, sessionScoped, ...(gate && { gate }) };
  }
  const gate = CLIENT_GATES[name];
  return { side, kind, sessionScoped, ...(gate && { gate }) };
}

function sessionGate(name: 'list' | 'resume' | 'close' | 'delete'): Gate<AgentCapabilities> {
  return {
    capability: `agentCapabilities.sessionCapabilities.${name}`,
    allows: (agent) => isPresent(agent.sessionCapabilities?.[name]),
  };
}

function isPresent(marker: unknown): boolean {
  return marker !== undefined && marker !== null;
}
