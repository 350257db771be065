// Measures a page's main thread: the cryptographic functions it calls, and the time of each task,
// read from the browser's trace. CPU time is counted instead of wall-clock time, which on a busy
// machine includes other processes.
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';

/**
 * A task of the main thread; times in milliseconds, with the start counted from the first task of
 * the trace.
 */
export type Task = { readonly startMs: number; readonly cpuMs: number; readonly wallMs: number };

type TraceEvent = {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
};

/**
 * Records every call of a WebCrypto or WebAssembly function on the main thread; call before the
 * first page is loaded.
 */
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

/** Returns the names of the functions called since the page was loaded. */
export const cryptoCalled = (page: Page): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { cryptoCalled: string[] }).cryptoCalled);

/**
 * The end of a download, before the page is notified. Only Chromium's inspector takes time there:
 * it converts every response into text for the program that drives the browser, in this case the
 * tests.
 */
const inspected = 'ResponseBodyLoader::DidFinishLoadingBody';

/**
 * Returns the tasks of the page's main thread during `work`, in order. The page must not leave its
 * site meanwhile. For large downloads, `withoutInspector` subtracts the inspector's share from the
 * CPU time.
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

/** Returns the largest time of all tasks, in milliseconds. */
export const longest = (tasks: readonly Task[], kind: 'cpuMs' | 'wallMs'): number =>
  tasks.reduce((most, task) => Math.max(most, task[kind]), 0);

/** Number of rows that the yardstick lays out. */
const YARDSTICK_ROWS = 4_300;

/**
 * Returns the CPU time, in milliseconds, that a fixed piece of typical page work (creating, styling
 * and laying out rows) currently takes on this machine: the median of several runs. About 50 ms on
 * a current machine, and twice as much on one half as fast.
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

/** Returns the memory, in bytes, of the processes that run pages and workers, by process id. */
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

/**
 * Returns the maximum memory growth of pages and workers during `work`, in bytes; null where the
 * system does not report it.
 */
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
