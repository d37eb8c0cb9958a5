export { checkAgent } from './check-agent.ts';
export { checkClient } from './check-client.ts';
export { checkTrace, type CheckTraceOptions } from './check-trace.ts';
export { coverageOf, type Coverage } from './coverage.ts';
export type { Observation, Outcome } from './findings/observation.ts';
export type { Timeouts } from './kit-client/kit-client.ts';
export { StartError } from './kit-client/wait-errors.ts';
export {
  DEFAULT_PROMPTS,
  DEFAULT_TIMEOUTS,
  type AgentUnderTest,
  type CheckAgentOptions,
  type KnownFailure,
  type Prompts,
} from './probes/agent/options.ts';
export {
  DEFAULT_CLIENT_TIMEOUTS,
  type CheckClientOptions,
  type ClientTimeouts,
} from './probes/client/options.ts';
export type { RemoteEndpoint } from './remote/endpoint.ts';
export type { RemoteKind, TransportKind } from './transport-kind.ts';
export { parseKnownFailures } from './report/known-failures.ts';
export { renderTerminal, type TerminalOptions } from './report/render-terminal.ts';
export type { Report, RequirementResult, Verdict } from './report/report.ts';
export { toHtml } from './report/to-html.ts';
export { toJson } from './report/to-json.ts';
export { toJUnit } from './report/to-junit.ts';
export { AREAS, findRequirement, REQUIREMENTS } from './requirements/all.ts';
export type { Area, Requirement, Side } from './requirements/requirement.ts';
export { formatEntry } from './trace/format-entry.ts';
export { Recorder } from './trace/recorder.ts';
export type { Direction, Trace, TraceEntry } from './trace/trace-entry.ts';
export { formatTrace, parseEntry, parseTrace, readTrace, writeTrace } from './trace/trace-file.ts';
export { replayToAgent, type ReplayToAgentOptions } from './trace/replay-to-agent.ts';
export { replayToClient, type ReplayToClientOptions } from './trace/replay-to-client.ts';
export type { ReplayReport } from './trace/replay-report.ts';
export type { TraceRow } from './trace/show-row.ts';
export { TraceFolder } from './trace/show-trace.ts';
export { readTraceLines, type TraceLine } from './trace/stream-reader.ts';
export { StreamRecorder, type StreamRecorderOptions } from './trace/stream-recorder.ts';
export { validateTrace, type TraceProblem } from './trace/validate-trace.ts';
