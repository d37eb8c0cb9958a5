/** The close codes in use (R-WS-09). Those from 4000 on are our own. */
export const CloseCode = {
  Normal: 1000,
  GoingAway: 1001,
  ProtocolError: 1002,
  /** Of an ended socket only: the close frame named no code. */
  NoneGiven: 1005,
  /** Of an ended socket only: there was no close frame. */
  Abnormal: 1006,
  InvalidText: 1007,
  PolicyViolation: 1008,
  TooLarge: 1009,
  InternalError: 1011,
  Slow: 4408,
} as const;

/** The longest reason that a close frame has room for, in bytes. */
const REASON_BYTES_MAX = 123;

/** Whether the code says that the other side is done, and nothing went wrong. */
export function isOrdinaryEnd(code: number): boolean {
  return code === CloseCode.Normal || code === CloseCode.GoingAway || code === CloseCode.NoneGiven;
}

/** The reason, cut between characters where a close frame has no more room for it. */
export function fittingReason(reason: string): string {
  const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(REASON_BYTES_MAX));
  return reason.slice(0, read);
}

/** @throws RangeError when the code is none that may be sent in a close frame. */
export function checkCloseCode(code: number): void {
  const isOwn = code >= 3000 && code <= 4999;
  const isStandard = code >= 1000 && code <= 1014 && (code < 1004 || code > 1006);
  if (Number.isInteger(code) && (isOwn || isStandard)) return;
  throw new RangeError(`${code} is no close code that may be sent`);
}
