import type { AuthMethod, ClientCapabilities, InitializeResponse } from '@signalbox/acp';
import { takenContentOf } from '@signalbox/core';
import { CURSOR_META } from './acp-view/event-delivery.ts';
import { PROMPT_ID, WHEN_BUSY } from './prompt-content.ts';
import type { AgentDescription, ServedAgent } from './served-agent.ts';

/** The arguments that make this program sign in to its agent in a terminal. */
export type TerminalLogin = (methodId: string) => readonly string[];

/**
 * What a client is told: what the host can by itself, which holds for every agent since it is served
 * from the log, and what only the agent can. Without a description, the agent could not be asked, and
 * nothing is announced on its behalf (R-INI-15).
 */
export function toAnnouncement(
  agent: ServedAgent,
  description: AgentDescription | undefined,
  client: ClientCapabilities,
  terminalLogin: TerminalLogin | undefined,
): Omit<InitializeResponse, 'protocolVersion'> {
  const of = description?.initialized.agentCapabilities;
  const { name, version } = agent.clientInfo;
  const methods = description?.authMethods ?? [];
  return {
    agentInfo: { name, title: `${agent.title(description)} (Signalbox)`, version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: takenContentOf(description?.initialized),
      mcpCapabilities: {
        http: of?.mcpCapabilities?.http === true,
        sse: of?.mcpCapabilities?.sse === true,
      },
      sessionCapabilities: {
        list: {},
        resume: {},
        close: {},
        delete: {},
        ...(of?.sessionCapabilities?.additionalDirectories == null
          ? {}
          : { additionalDirectories: {} }),
      },
      ...(of?.auth?.logout == null ? {} : { auth: { logout: {} } }),
      _meta: {
        signalbox: {
          version,
          whenBusy: WHEN_BUSY,
          promptId: PROMPT_ID,
          cursor: CURSOR_META,
          logView: true,
          merge: true,
          resumable: true,
        },
        // Nothing that was sent is forgotten: the log has it for as long as there is the session.
        transport: { resumable: { retentionMessages: null, retentionSeconds: null } },
      },
    },
    authMethods: methods.flatMap((method) => toOffered(method, client, terminalLogin)),
  };
}

/** Whether a way to sign in is one that the protocol itself drives, by `authenticate`. */
export function isDrivenByProtocol(method: AuthMethod): boolean {
  return !isTerminal(method);
}

/**
 * A sign-in in a terminal runs the command of the agent that the client knows, which is ours, so it is
 * offered with arguments of ours; and only to clients that have terminals (R-AUT-02).
 */
function toOffered(
  method: AuthMethod,
  client: ClientCapabilities,
  terminalLogin: TerminalLogin | undefined,
): AuthMethod[] {
  if (!isTerminal(method)) return [method];
  if (client.auth?.terminal !== true || terminalLogin === undefined) return [];
  const {
    env: _env,
    args: _args,
    ...rest
  } = method as AuthMethod & { env?: unknown; args?: unknown };
  return [{ ...rest, args: [...terminalLogin(method.id)] }];
}

function isTerminal(method: AuthMethod): boolean {
  return (method as { type?: unknown }).type === 'terminal';
}
