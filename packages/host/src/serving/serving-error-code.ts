/**
 * The error codes that a client of ours meets beside those of the protocol, from the range that
 * JSON-RPC leaves to servers. Every error that is not the agent's own carries `data.failure`, a name
 * that stays: a {@link TurnFailure} or a {@link HostErrorCode}.
 */
export const ServingErrorCode = {
  /** A turn is running and the prompt asked not to wait, or too many prompts wait already (B31). */
  SessionBusy: -32010,
  /** Another process runs the session, for example `signalbox run` in a terminal. */
  SessionInUse: -32011,
  /** The client's role does not allow this. */
  Forbidden: -32012,
} as const;
