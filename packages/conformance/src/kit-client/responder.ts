import type { WireMessage } from '../passive/wire-message.ts';

/** What {@link Responder} returns to leave a request of the agent open for now. */
export const HOLD: unique symbol = Symbol('hold');

/** An error to answer with. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Answers one kind of request: a result, a {@link Refusal} thrown, or HOLD. */
export type Answering = (params: unknown, request: WireMessage) => unknown;

/** What the kit answers to the agent, by method. */
export type Responder = Readonly<Record<string, Answering>>;

/** The answer to a permission request: the first option whose kind begins like this, else cancelled. */
export function choose(kind: string): Answering {
  return (params) => {
    const { options } = params as { options?: readonly { optionId?: string; kind?: string }[] };
    const option = options?.find((each) => each.kind?.startsWith(kind) === true);
    return option === undefined ? CANCELLED : selected(option.optionId ?? '');
  };
}

/** The answer that chooses an option by its id. */
export function selected(optionId: string): object {
  return { outcome: { outcome: 'selected', optionId } };
}

/** The answer to a permission request of a turn that was cancelled. */
export const CANCELLED: object = { outcome: { outcome: 'cancelled' } };
