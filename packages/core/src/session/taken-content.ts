import type { InitializeResponse } from '@signalbox/acp';

/** Which content an agent takes in prompts beside what all agents take. */
export interface TakenContent {
  readonly image: boolean;
  readonly audio: boolean;
  readonly embeddedContext: boolean;
}

/** What an agent takes, by its answer to `initialize`; nothing that it does not name. */
export function takenContentOf(initialized: unknown): TakenContent {
  const { agentCapabilities } = (initialized ?? {}) as Partial<InitializeResponse>;
  const { image, audio, embeddedContext } = agentCapabilities?.promptCapabilities ?? {};
  return {
    image: image === true,
    audio: audio === true,
    embeddedContext: embeddedContext === true,
  };
}
