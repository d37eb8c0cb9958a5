import type { HttpFetch } from '@signalbox/acp';
import { createNodeFetch } from '@signalbox/acp/node-client';

/** Makes a `fetch` that clients are tried with. */
export interface FetchKind {
  readonly by: string;
  readonly create: () => HttpFetch;
}

/** All that our clients run on. */
export const FETCH_KINDS: readonly FetchKind[] = [
  { by: "the platform's fetch", create: () => (url, init) => globalThis.fetch(url, init) },
  { by: 'node:http', create: () => createNodeFetch() },
];
