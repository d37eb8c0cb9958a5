import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Problem, ProblemCode } from '../problem/problem.ts';
import { EventLoopLag } from './event-loop-lag.ts';
import { FrameCounter } from './frame-counter.ts';

/** What is counted elsewhere and asked for when somebody scrapes. */
export interface MetricSources {
  readonly sessionsOpen: () => number;
  readonly connectionsOpen: () => Readonly<Record<'websocket' | 'http', number>>;
  readonly eventStreamsOpen: () => number;
  readonly acpStreamsOpen: () => number;
  readonly socketsOpen: () => number;
}

const AUTH_CODES: ReadonlySet<ProblemCode> = new Set([
  'host_not_allowed',
  'origin_not_allowed',
  'cross_site',
  'credential_in_url',
  'unauthorized',
  'forbidden',
  'login_code_invalid',
  'too_many_failures',
]);
const DURATION_BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600];

/** The numbers of one server, in a registry of its own. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #lag = new EventLoopLag(this.#registry);
  readonly requests = this.#counter('http_requests_total', 'Requests that are over.', [
    'method',
    'route',
    'status',
  ]);
  readonly durations = new Histogram({
    name: 'signalbox_http_request_duration_seconds',
    help: 'How long requests took, streams included.',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS,
    registers: [this.#registry],
  });
  readonly connections = this.#counter('connections_total', 'ACP connections opened.', ['kind']);
  readonly frames = new FrameCounter(this.#registry);
  readonly evictions = this.#counter('evictions_total', 'Readers disconnected from here.', [
    'reason',
  ]);
  readonly #authFailures = this.#counter('auth_failures_total', 'Requests not let in.', ['reason']);
  readonly droppedSockets = this.#counter('sockets_dropped_total', 'TCP connections refused.', []);

  /** @returns the content type of {@link text}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Sets where the numbers come from that others count. */
  observe(sources: MetricSources): void {
    this.#gauge('sessions_open', 'Sessions that this host runs.', sources.sessionsOpen);
    this.#gauge('event_streams_open', 'Event streams and polls.', sources.eventStreamsOpen);
    this.#gauge('acp_streams_open', 'Event streams of ACP.', sources.acpStreamsOpen);
    this.#gauge('sockets_open', 'TCP connections.', sources.socketsOpen);
    const gauge: Gauge<'kind'> = new Gauge({
      name: 'signalbox_connections_open',
      help: 'ACP connections.',
      labelNames: ['kind'],
      registers: [this.#registry],
      collect: () => {
        for (const [kind, count] of Object.entries(sources.connectionsOpen())) {
          gauge.set({ kind }, count);
        }
      },
    });
  }

  /** Counts what a request was refused for, where that is a matter of who asks. */
  noteProblem({ code }: Problem): void {
    if (AUTH_CODES.has(code)) this.#authFailures.inc({ reason: code });
  }

  /** All numbers in the Prometheus text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  close(): void {
    this.#lag.close();
  }

  #counter<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ): Counter<Label> {
    const registers = [this.#registry];
    return new Counter({ name: `signalbox_${name}`, help, labelNames: [...labelNames], registers });
  }

  #gauge(name: string, help: string, value: () => number): void {
    const gauge: Gauge = new Gauge({
      name: `signalbox_${name}`,
      help,
      registers: [this.#registry],
      collect: () => gauge.set(value()),
    });
  }
}
