/**
 * Metrics for Prometheus. There is one registry per process, as in prom-client; all packages create
 * their counters and gauges here, so that all names have the same form. Labels are route templates,
 * outcomes and roles: never ids, addresses or domains.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const registry = new Registry();
collectDefaultMetrics({ register: registry, prefix: 'keyfold_' });

/** Returns a counter; the same name returns the same counter. */
export const counter = <L extends string>(
  name: `keyfold_${string}_total`,
  help: string,
  labelNames: readonly L[] = [],
): Counter<L> =>
  (registry.getSingleMetric(name) as Counter<L> | undefined) ??
  new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });

/**
 * Registers a gauge that is read on each scrape; registering the same name again replaces its
 * reader.
 */
export function gauge(name: `keyfold_${string}`, help: string, read: () => number | Promise<number>): void {
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      // A value that is unavailable must not hide all others.
      this.set(await Promise.resolve(read()).catch(() => Number.NaN));
    },
  });
}

/** Like gauge, with one value per label; labels that no longer exist are omitted. */
export function labeledGauge(
  name: `keyfold_${string}`,
  help: string,
  labelName: 'job' | 'kind',
  read: () => Promise<readonly { readonly label: string; readonly value: number }[]>,
): void {
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    labelNames: [labelName],
    registers: [registry],
    async collect() {
      const numbers = await read().catch(() => []);
      this.reset();
      for (const { label, value } of numbers) this.set({ [labelName]: label }, value);
    },
  });
}

const DURATION_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Duration of HTTP requests in seconds, by method, route template and status. */
export const httpDuration = new Histogram({
  name: 'keyfold_http_request_seconds',
  help: 'Duration of HTTP requests',
  labelNames: ['method', 'route', 'status'],
  buckets: DURATION_BUCKETS_SECONDS,
  registers: [registry],
});

/** Returns all metrics in the Prometheus text format, and its content type. */
export const readMetrics = async (): Promise<{ text: string; contentType: string }> => ({
  text: await registry.metrics(),
  contentType: registry.contentType,
});
