import type { AgentProbe } from '../probe.ts';
import { ENDPOINT_PROBES } from './endpoints.ts';
import { LATE_STREAM_PROBES } from './late-streams.ts';
import { LIFETIME_PROBES } from './lifetime.ts';
import { POST_PROBES } from './posts.ts';
import { REQUEST_PROBES } from './requests.ts';
import { STREAM_PROBES } from './streams.ts';

/** Everything about Streamable HTTP that needs requests of a probe's own. */
export const HTTP_PROBES: readonly AgentProbe[] = [
  ...ENDPOINT_PROBES,
  ...REQUEST_PROBES,
  ...POST_PROBES,
  ...STREAM_PROBES,
  ...LATE_STREAM_PROBES,
  ...LIFETIME_PROBES,
];
