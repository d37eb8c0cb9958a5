import type { AgentCapabilities, Implementation } from '@signalbox/acp';

/** Who the agent is. */
export const AGENT_INFO: Implementation = {
  name: 'signalbox-agent',
  title: 'Signalbox agent',
  version: '0.1.0',
};

/** What the agent can do beyond the baseline, and nothing more. */
export const CAPABILITIES: AgentCapabilities = {
  loadSession: false,
  promptCapabilities: { image: false, audio: false, embeddedContext: true },
  mcpCapabilities: { http: false, sse: false },
  sessionCapabilities: { additionalDirectories: {}, close: {} },
};
