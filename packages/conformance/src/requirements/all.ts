import { ADDITIONAL_DIRECTORIES } from './additional-directories.ts';
import { AUTHENTICATION } from './authentication.ts';
import { CANCEL_REQUEST } from './cancel-request.ts';
import { COMMANDS } from './commands.ts';
import { COMPACTION } from './compaction.ts';
import { CONFIG_OPTIONS } from './config-options.ts';
import { CONTENT } from './content.ts';
import { CUSTOM_TRANSPORTS } from './custom-transports.ts';
import { ELICITATION } from './elicitation.ts';
import { ERRORS } from './errors.ts';
import { EXTENSIBILITY } from './extensibility.ts';
import { FILE_SYSTEM } from './file-system.ts';
import { FRAMING } from './framing.ts';
import { HTTP } from './http.ts';
import { INITIALIZATION } from './initialization.ts';
import { MCP_SERVERS } from './mcp-servers.ts';
import { MESSAGE_CHUNKS } from './message-chunks.ts';
import { MODES } from './modes.ts';
import { NOTICES } from './notices.ts';
import { PERMISSION } from './permission.ts';
import { PLANS } from './plans.ts';
import { PROMPT_TURN } from './prompt-turn.ts';
import { REGISTRY } from './registry.ts';
import { SESSION_CANCEL } from './session-cancel.ts';
import { SESSION_CLOSE } from './session-close.ts';
import { SESSION_DELETE } from './session-delete.ts';
import { SESSION_LIST } from './session-list.ts';
import { SESSION_LOAD } from './session-load.ts';
import { SESSION_RESUME } from './session-resume.ts';
import { SESSION_SETUP } from './session-setup.ts';
import { TERMINALS } from './terminals.ts';
import { TOOL_CALLS } from './tool-calls.ts';
import { USAGE } from './usage.ts';
import { WEBSOCKET } from './websocket.ts';
import type { Area, Requirement } from './requirement.ts';

/** Every area, in the order of a connection's life. */
export const AREAS: readonly Area[] = [
  FRAMING,
  INITIALIZATION,
  AUTHENTICATION,
  SESSION_SETUP,
  MCP_SERVERS,
  SESSION_LOAD,
  SESSION_RESUME,
  SESSION_CLOSE,
  SESSION_LIST,
  SESSION_DELETE,
  ADDITIONAL_DIRECTORIES,
  PROMPT_TURN,
  MESSAGE_CHUNKS,
  USAGE,
  SESSION_CANCEL,
  CANCEL_REQUEST,
  TOOL_CALLS,
  PERMISSION,
  PLANS,
  MODES,
  CONFIG_OPTIONS,
  COMMANDS,
  FILE_SYSTEM,
  TERMINALS,
  ELICITATION,
  CONTENT,
  EXTENSIBILITY,
  ERRORS,
  NOTICES,
  COMPACTION,
  HTTP,
  WEBSOCKET,
  CUSTOM_TRANSPORTS,
  REGISTRY,
];

/** Every requirement. */
export const REQUIREMENTS: readonly Requirement[] = AREAS.flatMap((area) => area.requirements);

const BY_ID: ReadonlyMap<string, Requirement> = new Map(
  REQUIREMENTS.map((each) => [each.id, each]),
);

/** The requirement of this id; undefined if there is none. */
export function findRequirement(id: string): Requirement | undefined {
  return BY_ID.get(id);
}
