import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Box } from '../server/box.ts';

const TEXT = 1;
const INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}';

interface FrameOptions {
  readonly isLast?: boolean;
  readonly isMasked?: boolean;
  readonly reserved?: number;
  /** What the frame says of its length, whatever it is. */
  readonly claimed?: number;
}

/** A frame as a client sends it, or should not (RFC 6455, 5.2). The mask is zero. */
function frame(opcode: number, payload: string | Buffer, options: FrameOptions = {}): Buffer {
  const { isLast = true, isMasked = true, reserved = 0, claimed } = options;
  const bytes = Buffer.from(payload);
  const length = Buffer.alloc(9);
  length[0] = (isMasked ? 0x80 : 0) | 127;
  length.writeBigUInt64BE(BigInt(claimed ?? bytes.length), 1);
  const short = Buffer.from([(isMasked ? 0x80 : 0) | bytes.length]);
  const isShort = claimed === undefined && bytes.length < 126;
  return Buffer.concat([
    Buffer.from([(isLast ? 0x80 : 0) | reserved | opcode]),
    isShort ? short : length,
    isMasked ? Buffer.alloc(4) : Buffer.alloc(0),
    bytes,
  ]);
}

/** Opens a WebSocket, sends bytes, and resolves with the code of the close frame that answers them. */
async function closeCode(box: Box, send: (socket: Socket) => void): Promise<number> {
  const { authorization } = await box.token();
  const socket = connect(box.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `GET /acp HTTP/1.1\r\nHost: 127.0.0.1:${box.port}\r\nAuthorization: ${authorization}\r\n` +
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  let received = Buffer.alloc(0);
  return new Promise((resolve) => {
    let isOpen = false;
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      if (!isOpen) {
        isOpen = true;
        send(socket);
      }
      const frames = received.subarray(head + 4);
      // Nothing but the close frame comes here; its code stands behind two bytes.
      if (frames.length >= 4 && frames[0] === 0x88) {
        resolve(frames.readUInt16BE(2));
        socket.destroy();
      }
    });
  });
}

const HOSTILE: readonly (readonly [string, readonly Buffer[], number])[] = [
  ['text that is no UTF-8', [frame(TEXT, Buffer.from([0xff, 0xfe]))], 1007],
  ['a frame without a mask', [frame(TEXT, INITIALIZE, { isMasked: false })], 1002],
  ['a reserved bit', [frame(TEXT, INITIALIZE, { reserved: 0x40 })], 1002],
  ['an opcode that there is not', [frame(3, INITIALIZE)], 1002],
  ['a ping that is too long', [frame(9, Buffer.alloc(126))], 1002],
  ['a ping in pieces', [frame(9, 'a', { isLast: false })], 1002],
  ['the end of no message', [frame(0, 'a')], 1002],
  ['a message within another', [frame(TEXT, 'a', { isLast: false }), frame(TEXT, 'b')], 1002],
  ['a length beyond all numbers', [frame(TEXT, '', { claimed: 2 ** 62 })], 1009],
  ['a length beyond the limit', [frame(TEXT, '', { claimed: 64 * 1024 * 1024 + 1 })], 1009],
  ['a close code that there is not', [frame(8, Buffer.from([3, 0xe7]))], 1002],
  ['something else than initialize', [frame(TEXT, '{"jsonrpc":"2.0","method":"x"}')], 1002],
];

describe('a WebSocket', () => {
  it.for(HOSTILE)('is closed with the right code for %s', async ([, frames, code]) => {
    const box = await Box.open();
    expect(await closeCode(box, (socket) => socket.write(Buffer.concat([...frames])))).toBe(code);
    expect((await box.ask('/health/live')).status).toBe(200);
  });

  it('is closed for a message in pieces without end', async () => {
    const box = await Box.open();
    const piece = frame(0, 'x', { isLast: false });
    const many = Buffer.concat(Array<Buffer>(10_000).fill(piece));
    const code = await closeCode(box, (socket) => {
      socket.write(frame(TEXT, '{"', { isLast: false }));
      const go = (): void => {
        while (!socket.destroyed && socket.write(many));
        socket.once('drain', go);
      };
      go();
    });
    expect(code).toBe(1008);
  });
});
