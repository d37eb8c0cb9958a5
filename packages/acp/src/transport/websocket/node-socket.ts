import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { CloseCode } from './close-code.ts';

/**
 * A `ws` socket that can write several messages with one system call, tells how much has arrived, and
 * says in words why it closes when it closes by itself.
 */
export class NodeSocket extends WebSocket {
  #stream: Duplex | undefined;
  #frameBytesMax = 0;

  /** Says which stream the socket runs on, and the largest message that it takes in, in bytes. */
  attach(stream: Duplex, frameBytesMax: number): void {
    this.#stream = stream;
    this.#frameBytesMax = frameBytesMax;
  }

  /** Bytes that have arrived so far; undefined if the stream does not count them. */
  get bytesRead(): number | undefined {
    return this.#stream instanceof Socket ? this.#stream.bytesRead : undefined;
  }

  cork(): void {
    this.#stream?.cork();
  }

  uncork(): void {
    this.#stream?.uncork();
  }

  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? this.#reasonOf(code));
  }

  #reasonOf(code: number | undefined): string | undefined {
    switch (code) {
      case CloseCode.TooLarge:
        return `a message has more than ${this.#frameBytesMax} bytes`;
      case CloseCode.InvalidText:
        return 'a text is not UTF-8';
      case CloseCode.ProtocolError:
        return 'a frame is not valid';
      case CloseCode.PolicyViolation:
        return 'a message comes in too many pieces';
      default:
        return undefined;
    }
  }
}
