import { at, isObject } from '../json/json.ts';
import type { PassiveCheck } from './passive-check.ts';
import { isOtherVersion } from './schema.ts';
import { unknownMember } from './unknown-member.ts';

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** What messages carry beyond the schema. */
export const EXTENSION_CHECKS: readonly PassiveCheck[] = [
  {
    name: 'own data stands in _meta',
    ids: { agent: ['R-EXT-01'], client: ['R-EXT-01'] },
    toleratesHostilePeer: true,
    run(view, notes) {
      for (const message of view.messages) {
        if (isOtherVersion(view, message) || message.isError) continue;
        const method = message.method || view.callOf(message)?.method;
        if (method === undefined || method === '') continue;
        const part = message.kind === 'response' ? 'result' : 'params';
        const found = unknownMember(method, part, message[part]);
        // A newer schema than ours may know the member.
        if (found === undefined) notes.ok('R-EXT-01', message.sender);
        else notes.warn('R-EXT-01', message.sender, `${found} is not in the schema of v1`, message);
      }
    },
  },
  {
    name: 'trace context in _meta has its standard form',
    ids: { agent: ['R-EXT-03'], client: ['R-EXT-03'] },
    toleratesHostilePeer: true,
    run({ messages }, notes) {
      for (const message of messages) {
        const meta = at(message.params, '_meta') ?? at(message.result, '_meta');
        if (!isObject(meta) || !('traceparent' in meta)) continue;
        const value = meta['traceparent'];
        const isOk = typeof value === 'string' && TRACEPARENT.test(value);
        notes.judge('R-EXT-03', message, isOk, 'traceparent does not have the form of W3C');
      }
    },
  },
];
