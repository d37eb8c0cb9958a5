import { Counter, type Registry } from 'prom-client';

/** How many frames went each way. */
export interface FrameCounts {
  in: number;
  out: number;
}

/**
 * Counts ACP messages in plain numbers, which become metrics when somebody scrapes: to count each in a metric
 * with labels would take as long as making its text does.
 */
export class FrameCounter {
  readonly websocket: FrameCounts = { in: 0, out: 0 };
  readonly http: FrameCounts = { in: 0, out: 0 };

  constructor(registry: Registry) {
    const counter: Counter<'kind' | 'direction'> = new Counter({
      name: 'signalbox_frames_total',
      help: 'ACP messages.',
      labelNames: ['kind', 'direction'],
      registers: [registry],
      collect: () => {
        counter.reset();
        for (const kind of ['websocket', 'http'] as const) {
          for (const direction of ['in', 'out'] as const) {
            counter.inc({ kind, direction }, this[kind][direction]);
          }
        }
      },
    });
  }
}
