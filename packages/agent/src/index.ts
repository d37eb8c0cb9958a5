export { Agent, type AgentOptions } from './agent.ts';
export { AGENT_INFO } from './capabilities.ts';
export { serveAgent, type ServeOptions } from './serve.ts';
export { DEFAULT_LOOP_LIMITS, type LoopLimits } from './loop/limits.ts';
export { createBuiltinModel } from './model/builtin/builtin-model.ts';
export {
  isModelFailure,
  ModelFailure,
  type AnswerPart,
  type AssistantMessage,
  type Model,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
  type ModelStopReason,
  type ModelToolCall,
  type ModelToolResult,
  type PromptResource,
  type ToolMessage,
  type ToolSpec,
  type UserMessage,
} from './model/model.ts';
