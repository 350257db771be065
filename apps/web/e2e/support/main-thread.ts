// What a page's main thread does: which cryptography it calls, and how much of its own time each task takes, read from
// the browser's trace. Time on the processor is counted, not time on the clock, which on a busy machine tells of others.
import type { Browser, Page } from 'playwright-core';

/** A task of the main thread; times in milliseconds, the start counted from the first task of the trace. */
export type Task = { readonly startMs: number; readonly cpuMs: number; readonly wallMs: number };

type TraceEvent = {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
};

/** Notes every call of a WebCrypto or WebAssembly function on the main thread; call before the first page is loaded. */
export const watchCrypto = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const called: string[] = [];
    Object.assign(globalThis, { cryptoCalled: called });
    const watch = (owner: object, name: string) => {
      const original: unknown = Reflect.get(owner, name);
      if (typeof original !== 'function' || name === 'constructor') return;
      Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
        called.push(name);
        return Reflect.apply(original, this, args);
      });
    };
    for (const name of Object.getOwnPropertyNames(SubtleCrypto.prototype)) {
      if (name !== 'constructor') watch(SubtleCrypto.prototype, name);
    }
    for (const name of ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming', 'Module']) {
      watch(WebAssembly, name);
    }
  });
};

/** The calls since the page was loaded, by name. */
export const cryptoCalled = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { cryptoCalled: string[] }).cryptoCalled);

/** The tasks of the page's main thread during `work`, in their order. The page must not leave its site meanwhile. */
export const traceTasks = async (
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<Task[]> => {
  await browser.startTracing(page, { categories: ['-*', 'toplevel', 'blink.user_timing'] });
  let trace: Buffer;
  const mark = `traced-${crypto.randomUUID()}`;
  try {
    await work();
    await page.evaluate(name => performance.mark(name), mark);
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const marked = traceEvents.find(({ name }) => name === mark);
  if (marked === undefined) throw new Error('The trace lost its end');
  const tasks = traceEvents
    .filter(({ name, pid, tid }) => /RunTask$/.test(name) && pid === marked.pid && tid === marked.tid)
    .sort((a, b) => a.ts - b.ts);
  const first = tasks[0]?.ts ?? 0;
  return tasks.map(({ ts, tdur = 0, dur = 0 }) => ({
    startMs: Math.round((ts - first) / 1000),
    cpuMs: tdur / 1000,
    wallMs: dur / 1000,
  }));
};

/** The largest time of all tasks, in milliseconds. */
export const longest = (tasks: readonly Task[], kind: 'cpuMs' | 'wallMs'): number =>
  tasks.reduce((most, task) => Math.max(most, task[kind]), 0);

/** Rows that are laid out in the yardstick. */
const yardstickRows = 4_300;

/**
 * What a fixed piece of a page's own kind of work, rows made, styled and laid out, takes on this machine now: milliseconds of
 * the processor, the middle of several times. Some 50 ms on a machine of today; twice as much where it is twice as slow.
 */
export const yardstick = async (browser: Browser, page: Page): Promise<number> => {
  const times = 5;
  const tasks = await traceTasks(browser, page, async () => {
    for (let time = 0; time < times; time += 1) {
      await page.evaluate(rows => {
        const list = document.createElement('ul');
        for (let row = 0; row < rows; row += 1) {
          const item = document.createElement('li');
          item.textContent = `Row ${row}`;
          list.append(item);
        }
        document.body.append(list);
        list.getBoundingClientRect();
        list.remove();
      }, yardstickRows);
    }
  });
  const sorted = tasks.map(({ cpuMs }) => cpuMs).sort((a, b) => b - a);
  return sorted[Math.floor(times / 2)] ?? 0;
};
