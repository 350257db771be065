// What a page's main thread does: which cryptography it calls, and how much of its own time each task takes, read from
// the browser's trace. Time on the processor is counted, not time on the clock, which on a busy machine tells of others.
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';

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
export async function watchCrypto(page: Page): Promise<void> {
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
}

/** The calls since the page was loaded, by name. */
export const cryptoCalled = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { cryptoCalled: string[] }).cryptoCalled);

/**
 * Where a download ends. The page is not told there yet: all that takes long is Chromium's inspector, which turns every answer
 * into text for whoever drives the browser, as the stories do.
 */
const inspected = 'ResponseBodyLoader::DidFinishLoadingBody';

/**
 * The tasks of the page's main thread during `work`, in their order. The page must not leave its site meanwhile. Where it
 * downloads much, `withoutInspector` leaves out of the time of the processor what the inspector takes of it.
 */
export async function traceTasks(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
  withoutInspector = false,
): Promise<Task[]> {
  const more = withoutInspector ? ['blink'] : [];
  await browser.startTracing(page, { categories: ['-*', 'toplevel', 'blink.user_timing', ...more] });
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
  const own = traceEvents.filter(({ pid, tid }) => pid === marked.pid && tid === marked.tid);
  const tasks = own.filter(({ name }) => /RunTask$/.test(name)).sort((a, b) => a.ts - b.ts);
  const first = tasks[0]?.ts ?? 0;
  const inspections = own.filter(({ name }) => name === inspected);
  const inspectorUs = (task: TraceEvent): number =>
    inspections
      .filter(({ ts }) => ts >= task.ts && ts <= task.ts + (task.dur ?? 0))
      .reduce((sum, { tdur = 0 }) => sum + tdur, 0);
  return tasks.map(task => ({
    startMs: Math.round((task.ts - first) / 1000),
    cpuMs: ((task.tdur ?? 0) - inspectorUs(task)) / 1000,
    wallMs: (task.dur ?? 0) / 1000,
  }));
}

/** The largest time of all tasks, in milliseconds. */
export const longest = (tasks: readonly Task[], kind: 'cpuMs' | 'wallMs'): number =>
  tasks.reduce((most, task) => Math.max(most, task[kind]), 0);

/** Rows that are laid out in the yardstick. */
const YARDSTICK_ROWS = 4_300;

/**
 * What a fixed piece of a page's own kind of work, rows made, styled and laid out, takes on this machine now: milliseconds of
 * the processor, the middle of several times. Some 50 ms on a machine of today; twice as much where it is twice as slow.
 */
export async function yardstick(browser: Browser, page: Page): Promise<number> {
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
      }, YARDSTICK_ROWS);
    }
  });
  const sorted = tasks.map(({ cpuMs }) => cpuMs).sort((a, b) => b - a);
  return sorted[Math.floor(times / 2)] ?? 0;
}

/** Bytes in memory of the processes that run pages and workers, by the numbers of the processes. */
async function pageMemory(session: CDPSession): Promise<number> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => readFile(`/proc/${id}/status`, 'utf8').catch(() => ''));
  return (await Promise.all(sizes)).reduce(
    (sum, text) => sum + 1024 * Number(/^VmRSS:\s*(\d+)/m.exec(text)?.[1] ?? 0),
    0,
  );
}

const MEMORY_EVERY_MS = 50;

/** How much more memory pages and workers have at most during `work`, in bytes; null where the system does not tell. */
export async function memoryGrowth(browser: Browser, work: () => Promise<void>): Promise<number | null> {
  const session = await browser.newBrowserCDPSession();
  try {
    const before = await pageMemory(session);
    let most = before;
    let isOver = false;
    const watch = async () => {
      for (; !isOver; await setTimeout(MEMORY_EVERY_MS)) most = Math.max(most, await pageMemory(session));
    };
    const watching = watch();
    await work().finally(() => {
      isOver = true;
    });
    await watching;
    return before === 0 ? null : most - before;
  } finally {
    await session.detach();
  }
}
