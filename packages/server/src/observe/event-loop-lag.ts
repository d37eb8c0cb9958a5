import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;
const QUANTILES = [0.5, 0.99] as const;

/** Measures how late this process comes to its work. */
export class EventLoopLag {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor(registry: Registry) {
    this.#histogram.enable();
    const gauge: Gauge<'quantile'> = new Gauge({
      name: 'signalbox_event_loop_lag_seconds',
      help: 'Delay of the event loop since the last scrape.',
      labelNames: ['quantile'],
      registers: [registry],
      collect: () => {
        for (const quantile of QUANTILES) {
          const lag = this.#histogram.percentile(quantile * 100) / NANOSECONDS;
          gauge.set({ quantile: String(quantile) }, lag);
        }
        gauge.set({ quantile: '1' }, this.#histogram.max / NANOSECONDS);
        this.#histogram.reset();
      },
    });
  }

  close(): void {
    this.#histogram.disable();
  }
}
