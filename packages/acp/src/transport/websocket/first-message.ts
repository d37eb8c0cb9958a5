import { parseMessage } from '../../jsonrpc/message.ts';
import type { TextVerdict } from './socket-connection.ts';

const INITIALIZE = 'initialize';

/**
 * Judges what a client sends before its connection is initialised: the first message must be a request
 * for `initialize` (R-WS-02). What is no message at all is let in, to be answered as such (R-WS-07).
 */
export function judgeFirstMessage(text: string): TextVerdict {
  const message = parseMessage(text);
  if (message.kind === 'malformed') return 'let_in';
  const isInitialize = message.kind === 'request' && message.method === INITIALIZE;
  return isInitialize ? 'let_all_in' : 'keep_out';
}
