export { SimulatedClock, systemClock, type Clock } from '@signalbox/acp';
export { KNOWN_AGENTS, type KnownAgent } from './agents/catalogue.ts';
export { START_TIMEOUT_MS, type AgentEntry } from './agents/agent-entry.ts';
export type {
  AgentEvents,
  AgentFacts,
  AgentLink,
  AgentPermissionRequest,
  RunningAgent,
} from './agents/agent-link.ts';
export { DEFAULT_ENDING_LIMITS, type EndingLimits } from './agents/agent-process.ts';
export { isSameProcess, processStartTime } from './agents/process-identity.ts';
export { SESSION_MARK, toAgentEnvironment } from './agents/environment.ts';
export { createProcessLink, type AgentStart } from './agents/start-agent.ts';
export { HostError, isHostError, type HostErrorCode } from './host-error.ts';
export { Host } from './hosting/host.ts';
export {
  DEFAULT_SETTINGS,
  type HostOptions,
  type HostProblem,
  type HostSettings,
} from './hosting/host-options.ts';
export type { SessionQuery, SessionSummary } from './hosting/session-list.ts';
export { openSqliteJournal } from './journal/sqlite/sqlite-journal.ts';
export { Session, type PromptCommand } from './session/session.ts';
export type { PromptOutcome } from './session/session-effects.ts';
export type { AttachedClient, ServedMethod } from './client-services/attached-client.ts';
export type { SessionSetup } from './hosting/session-setup.ts';
export type { TerminalLogin } from './serving/announcement.ts';
export { WHEN_BUSY } from './serving/prompt-content.ts';
export { serveAcp, type AcpServer, type ServeAcpOptions } from './serving/serve-acp.ts';
export {
  ServedAgent,
  type AgentDescription,
  type ServedAgentOptions,
} from './serving/served-agent.ts';
export type { Role } from './serving/role.ts';
export { LogMethod } from './serving/log-view/log-method.ts';
export { ServingErrorCode } from './serving/serving-error-code.ts';
