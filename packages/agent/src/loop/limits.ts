/** The bounds of one turn. */
export interface LoopLimits {
  /** Model requests in one turn; meeting it ends the turn as `max_turn_requests`. */
  readonly requestsMax: number;
  /** Output tokens in one turn, as the model reports them; meeting it ends it as `max_tokens`. */
  readonly outputTokensMax: number;
}

export const DEFAULT_LOOP_LIMITS: LoopLimits = {
  requestsMax: 50,
  outputTokensMax: 200_000,
};
