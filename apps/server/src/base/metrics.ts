/**
 * Numbers for Prometheus. One registry a process, as prom-client has it; rooms make their counters and gauges here, so that
 * all names stand in one form. Labels are route templates, outcomes and roles: never ids, addresses or domains.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const registry = new Registry();
collectDefaultMetrics({ register: registry, prefix: 'keyfold_' });

/** A counter; asking for the same name again gives the same one. */
export const counter = <L extends string>(
  name: `keyfold_${string}_total`,
  help: string,
  labelNames: readonly L[] = [],
): Counter<L> =>
  (registry.getSingleMetric(name) as Counter<L> | undefined) ??
  new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });

/** A gauge that is read when somebody looks; asking for the same name again replaces how. */
export function gauge(name: `keyfold_${string}`, help: string, read: () => number | Promise<number>): void {
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      // A number that cannot be had now must not hide all others.
      this.set(await Promise.resolve(read()).catch(() => Number.NaN));
    },
  });
}

/** As gauge, with a number for each of some labels; those that are no more are not told. */
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

/** Seconds that HTTP requests took, by method, route template and status. */
export const httpDuration = new Histogram({
  name: 'keyfold_http_request_seconds',
  help: 'Time to answer an HTTP request',
  labelNames: ['method', 'route', 'status'],
  buckets: DURATION_BUCKETS_SECONDS,
  registers: [registry],
});

/** Everything in Prometheus' text form, and its content type. */
export const readMetrics = async (): Promise<{ text: string; contentType: string }> => ({
  text: await registry.metrics(),
  contentType: registry.contentType,
});
