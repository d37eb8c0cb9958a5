import { isObject } from '../json/json.ts';
import type { PassiveCheck } from './passive-check.ts';
import { spreadLines } from './spread-json.ts';

/** What the bytes of a line are, before anybody asks what they mean. */
export const LINE_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'bytes are UTF-8',
    ids: { agent: ['R-FRM-01'], client: ['R-FRM-01'] },
    toleratesHostilePeer: true,
    run({ messages }, notes) {
      for (const message of messages) {
        if (message.entry.isCut === true) continue;
        const isClean =
          message.entry.bytes === undefined && !message.entry.text.startsWith('\ufeff');
        notes.judge('R-FRM-01', message, isClean, 'a line is not UTF-8, or begins with a mark');
      }
    },
  },
  {
    name: 'every line is one JSON object',
    ids: {
      agent: ['R-FRM-02', 'R-FRM-03', 'R-FRM-04', 'R-FRM-19'],
      client: ['R-FRM-02', 'R-FRM-03', 'R-FRM-05', 'R-FRM-19'],
    },
    toleratesHostilePeer: true,
    run({ messages }, notes) {
      const spread = {
        agent: spreadLines(messages.filter(({ sender }) => sender === 'agent')),
        client: spreadLines(messages.filter(({ sender }) => sender === 'client')),
      };
      for (const message of messages) {
        const { sender, entry, value } = message;
        const onlyMessages = sender === 'agent' ? 'R-FRM-04' : 'R-FRM-05';
        // What is no UTF-8 is told above.
        if (entry.isCut === true || entry.bytes !== undefined || entry.text.trim() === '') continue;
        if (isObject(value)) {
          for (const id of ['R-FRM-02', 'R-FRM-03', onlyMessages, 'R-FRM-19']) {
            notes.ok(id, sender);
          }
        } else if (Array.isArray(value)) {
          notes.bad('R-FRM-19', sender, 'a batch was sent', message);
        } else if (spread[sender].has(message)) {
          notes.bad('R-FRM-03', sender, 'a message is spread over several lines', message);
        } else if (looksLikeMessage(entry.text)) {
          notes.bad('R-FRM-02', sender, 'a line is not exactly one JSON object', message);
        } else {
          notes.bad(onlyMessages, sender, 'a line is no message', message);
        }
      }
    },
  },
];

function looksLikeMessage(text: string): boolean {
  return /"jsonrpc"/.test(text) || /^Content-Length:/i.test(text);
}
