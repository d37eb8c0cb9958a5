import { isObject } from '../json/json.ts';
import type { PassiveCheck } from './passive-check.ts';
import type { WireMessage } from './wire-message.ts';

const CODE_MAX = 2 ** 31 - 1;
const CODE_MIN = -(2 ** 31);

/** The JSON-RPC 2.0 envelope of single messages. */
export const ENVELOPE_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'messages name JSON-RPC 2.0',
    ids: { agent: ['R-FRM-10'], client: ['R-FRM-10'] },
    toleratesHostilePeer: true,
    run({ messages }, notes) {
      for (const message of messages) {
        if (!isObject(message.value)) continue;
        const isOk = message.value['jsonrpc'] === '2.0';
        notes.judge('R-FRM-10', message, isOk, 'a message lacks "jsonrpc":"2.0"');
      }
    },
  },
  {
    name: 'request ids are strings or integers',
    ids: { agent: ['R-FRM-14'], client: ['R-FRM-14'] },
    toleratesHostilePeer: true,
    run({ messages }, notes) {
      for (const message of messages) {
        if (message.kind !== 'request') continue;
        const id = isObject(message.value) ? message.value['id'] : undefined;
        const isOk = typeof id === 'string' || Number.isInteger(id);
        notes.judge('R-FRM-14', message, isOk, 'a request id is neither a string nor an integer');
      }
    },
  },
  {
    name: 'a response has a result or an error',
    ids: { agent: ['R-FRM-12'], client: ['R-FRM-12'] },
    toleratesHostilePeer: true,
    run({ messages }, notes) {
      for (const message of messages) {
        const { kind, value } = message;
        if (!isObject(value)) continue;
        if (kind === 'response') {
          // A null stands there too: only a member that is left out says that it does not apply.
          const isOk = 'result' in value !== 'error' in value;
          notes.judge('R-FRM-12', message, isOk, 'a response has both a result and an error');
        } else if (kind === 'other' && 'id' in value && !('method' in value)) {
          notes.bad('R-FRM-12', message.sender, 'a response has no result and no error', message);
        }
      }
    },
  },
  {
    name: 'errors have a code and a message',
    ids: { agent: ['R-ERR-01', 'R-ERR-02'], client: ['R-ERR-01', 'R-ERR-02'] },
    toleratesHostilePeer: true,
    run({ messages }, notes) {
      for (const message of messages) {
        if (message.kind !== 'response' || !isObject(message.value)) continue;
        const error = message.value['error'];
        if (error === undefined || error === null) continue;
        judgeError(message, error, notes);
      }
    },
  },
];

function judgeError(
  message: WireMessage,
  error: unknown,
  notes: Parameters<PassiveCheck['run']>[1],
): void {
  const code = isObject(error) ? error['code'] : undefined;
  const text = isObject(error) ? error['message'] : undefined;
  const isShaped = Number.isInteger(code) && typeof text === 'string';
  notes.judge(
    'R-ERR-01',
    message,
    isShaped,
    'an error lacks an integer code or a message that is a string',
  );
  if (typeof code !== 'number' || !isShaped) return;
  const isUnreadable = code === -32700 && message.idText !== undefined && message.idText !== 'null';
  if (isUnreadable) {
    notes.bad('R-ERR-02', message.sender, 'a request whose id was read is no parse error', message);
  } else {
    const isInRange = code <= CODE_MAX && code >= CODE_MIN;
    notes.judge('R-ERR-02', message, isInRange, 'an error code is no 32-bit integer');
  }
}
