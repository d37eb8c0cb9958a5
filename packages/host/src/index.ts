export { KNOWN_AGENTS, type KnownAgent } from './agents/catalogue.ts';
export { START_TIMEOUT_MS, type AgentEntry } from './agents/agent-entry.ts';
export type {
  AgentEvents,
  AgentLink,
  AgentPermissionRequest,
  RunningAgent,
} from './agents/agent-link.ts';
export { DEFAULT_ENDING_LIMITS, type EndingLimits } from './agents/agent-process.ts';
export { SESSION_MARK, toAgentEnvironment } from './agents/environment.ts';
export { createProcessLink, type AgentStart } from './agents/start-agent.ts';
export { systemClock, type Clock } from './clock/clock.ts';
export { SimulatedClock } from './clock/simulated-clock.ts';
export { HostError, isHostError, type HostErrorCode } from './host-error.ts';
export { Host } from './hosting/host.ts';
export {
  DEFAULT_SETTINGS,
  type HostOptions,
  type HostProblem,
  type HostSettings,
} from './hosting/host-options.ts';
export type { SessionSummary } from './hosting/session-list.ts';
export { openSqliteJournal } from './journal/sqlite/sqlite-journal.ts';
export { Session, type PromptCommand } from './session/session.ts';
export type { PromptOutcome } from './session/session-effects.ts';
