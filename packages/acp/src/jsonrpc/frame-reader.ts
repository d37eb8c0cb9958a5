import { errorText } from './encode-message.ts';
import type { RpcLimits } from './limits.ts';
import { memberText } from './member-text.ts';
import { MessageParser } from './message-codec.ts';
import { parseMessage, usableIdText, type MalformedMessage, type Message } from './message.ts';
import type { Noise } from './noise.ts';
import { PeerError } from './peer-error.ts';
import type { PeerOptions, PeerProblem } from './peer-types.ts';
import { RpcErrorCode } from './rpc-error.ts';
import type { Frame } from './transport.ts';
import { isOverBytes, utf8Length } from './utf8-length.ts';

/** How much of a frame over the limit is looked at. */
const OVERSIZED_HEAD_LENGTH = 4096;

/** What a {@link FrameReader} needs of its peer. */
export interface FrameReaderPeer {
  readonly limits: RpcLimits;
  readonly noise: Noise;
  readonly mode: NonNullable<PeerOptions['noise']>;
  /** Sends a response; must not throw. */
  answer(text: string): void;
  /** The answer to an own request came, but is of no use. */
  rejectPending(id: unknown, error: PeerError): void;
  onProblem(kind: PeerProblem['kind'], message: string): void;
}

/** A frame that is a message. */
export type WellFormedMessage = Exclude<Message, MalformedMessage>;

/** Decodes frames, and deals with those that are no message: counts, reports and answers them. */
export class FrameReader {
  readonly #peer: FrameReaderPeer;
  readonly #parser = new MessageParser();

  constructor(peer: FrameReaderPeer) {
    this.#peer = peer;
  }

  /** The message in a frame; undefined when there is none and nothing is left to do. */
  read(frame: Frame): WellFormedMessage | undefined {
    if (typeof frame !== 'string') {
      this.#onNoText(frame);
      return undefined;
    }
    if (isOverBytes(frame, this.#peer.limits.frameBytesMax)) {
      this.#onOversized(frame.slice(0, OVERSIZED_HEAD_LENGTH), utf8Length(frame));
      return undefined;
    }
    const message = this.#parser.parse(frame);
    if (message.kind === 'malformed') return this.#onMalformed(message);
    this.#peer.noise.endBurst();
    return message;
  }

  #onNoText(frame: Exclude<Frame, string>): void {
    switch (frame.kind) {
      case 'oversized':
        return this.#onOversized(frame.head, frame.length);
      case 'nested': {
        const what = `a frame has more than ${frame.levelsMax} levels of nesting`;
        return this.#onRefused('nested_frame', frame.head, what);
      }
      case 'undecodable':
        this.#onNoise('not UTF-8', frame.head);
    }
  }

  #onMalformed(malformed: MalformedMessage): WellFormedMessage | undefined {
    const { text, reason, answer, responseId } = malformed;
    const { mode, noise } = this.#peer;
    const behind = mode === 'skip' ? messageBehindNoise(text) : undefined;
    if (behind !== undefined) {
      this.#onNoise('text before a message', text);
      noise.endBurst();
      return behind;
    }
    const isFirst = this.#onNoise(reason, text);
    if (responseId !== undefined) {
      // Nobody else will answer this request, so whoever waits for it has to learn of it.
      this.#peer.rejectPending(responseId, new PeerError('invalid_response', reason));
    }
    if (answer === undefined) return undefined;
    // A request whose id is known is always answered; what cannot be answered to anybody in
    // particular is answered once per burst, so that two peers cannot keep each other busy.
    if (answer.idText === 'null' && (mode === 'skip' || !isFirst)) return undefined;
    const what = answer.code === RpcErrorCode.ParseError ? 'Parse error' : 'Invalid Request';
    this.#peer.answer(errorText(answer.idText, answer.code, what, { reason }));
    return undefined;
  }

  #onNoise(reason: string, text: string): boolean {
    const isFirst = this.#peer.noise.add(reason, text);
    if (isFirst) {
      this.#peer.onProblem('noise', `A line that is no message was skipped (${reason})`);
    }
    return isFirst;
  }

  #onOversized(head: string, bytes: number): void {
    const { frameBytesMax } = this.#peer.limits;
    const what = `a frame of ${bytes} bytes is over the limit of ${frameBytesMax}`;
    this.#onRefused('oversized_frame', head, what);
  }

  /** Tells the sender of a frame that is not taken in, as far as its beginning says who that is. */
  #onRefused(kind: 'oversized_frame' | 'nested_frame', head: string, message: string): void {
    this.#peer.onProblem(kind, message);
    // Cut at a comma, the head cannot end within an id and make another one of it.
    const idText = usableIdText(memberText(head.slice(0, head.lastIndexOf(',')), 'id'));
    if (idText === undefined) return;
    if (memberText(head, 'method') !== undefined) {
      this.#peer.answer(errorText(idText, RpcErrorCode.InvalidRequest, message));
    } else if (isResponseHead(head)) {
      this.#peer.rejectPending(JSON.parse(idText), new PeerError('too_large', message));
    }
  }
}

function isResponseHead(head: string): boolean {
  return memberText(head, 'result') !== undefined || memberText(head, 'error') !== undefined;
}

/** A message at the end of a line that begins with something else, such as a control sequence. */
function messageBehindNoise(text: string): WellFormedMessage | undefined {
  const start = text.indexOf('{"');
  if (start <= 0) return undefined;
  const message = parseMessage(text.slice(start));
  return message.kind === 'malformed' ? undefined : message;
}
