/**
 * slow-phone: the mail screen on a phone, with a quarter of this machine's processor speed.
 * Measures the time until the list is shown in a browser without a cached client, over a slow line;
 * the longest main-thread task while the list is opened, scrolled and swiped and messages are read;
 * the layout shift until the list is loaded and stable; and the longest gap between two frames of a
 * swipe. Medians. Argument: rounds (default 5). The peer of each line is its limit
 * (bench/README.md; docs/acceptance.md 4, 18, 35).
 */
import { createProduct } from '@keyfold/testing/product';
import { openBrowser } from '../apps/web/e2e/harness/open-browser.ts';
import { openPerson } from '../apps/web/e2e/support/browser.ts';
import { listRow, loadMs, watchFor } from '../apps/web/e2e/support/first-load.ts';
import { fillMailbox, reader } from '../apps/web/e2e/support/full-mailbox.ts';
import { longest, traceTasks } from '../apps/web/e2e/support/main-thread.ts';
import { signIn } from '../apps/web/e2e/support/people.ts';

const SLOW_CPU = { rate: 4 };
/** 1.6 Mbit/s, 150 ms round trip. */
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
const LIST_MS = 3_500;
const TASK_MS = 200;
const SHIFT = 0.02;
const FRAME_GAP_MS = 100;
const LETTERS = 10;
const inHand = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const median = numbers => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const inboxOf = baseUrl => `${baseUrl}/app/inbox/recieved/0`;

/**
 * Members missing from the DOM types: the size of a layout shift, and whether user input caused it.
 * @typedef {PerformanceEntry & { hadRecentInput: boolean, value: number }} LayoutShift
 */

/** Records layout shifts that no input caused, and the frames drawn. */
const watchPage = page =>
  page.addInitScript(() => {
    /** @type {{ shift: number, frames: number[] }} */
    const seen = { shift: 0, frames: [] };
    Object.assign(globalThis, { seen });
    new PerformanceObserver(list => {
      for (const entry of /** @type {LayoutShift[]} */ (list.getEntries()))
        if (!entry.hadRecentInput) seen.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    const draw = () => {
      seen.frames.push(performance.now());
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  });

/** Moves a finger from one point to the other in twenty steps, one per frame. */
async function drag(touch, from, to) {
  const at = step => ({
    x: from.x + ((to.x - from.x) * step) / 20,
    y: from.y + ((to.y - from.y) * step) / 20,
  });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(0)] });
  for (let step = 1; step <= 20; step++) {
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(step)] });
    await new Promise(resolve => setTimeout(resolve, 16));
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Returns the milliseconds until the list is shown, with nothing stored but the session. */
async function measureCold(browser, baseUrl, storageState) {
  const { context, page } = await openPerson(browser, { ...inHand, storageState });
  try {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_LINE);
    await devtools.send('Emulation.setCPUThrottlingRate', SLOW_CPU);
    await watchFor(page, listRow);
    await page.goto(inboxOf(baseUrl));
    return await loadMs(page, listRow);
  } finally {
    await context.close();
  }
}

async function measureOnce(browser, baseUrl, known) {
  const { context, page } = await openPerson(browser, inHand);
  try {
    await context.addCookies(known);
    await signIn(page, baseUrl, reader);
    const coldMs = await measureCold(browser, baseUrl, await context.storageState({ indexedDB: true }));
    await watchPage(page);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', SLOW_CPU);
    const rows = page.locator('#list li[data-index]');
    let gapMs = 0;
    let shift = 0;
    const tasks = await traceTasks(browser, page, async () => {
      await page.goto(inboxOf(baseUrl));
      await rows.first().waitFor();
      await page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('gestures')),
      );
      await page.waitForLoadState('networkidle');
      // Read now, because later taps replace the content.
      shift = await page.evaluate(() => globalThis.seen.shift);
      await drag(devtools, { x: 195, y: 700 }, { x: 195, y: 200 });
      await drag(devtools, { x: 195, y: 200 }, { x: 195, y: 700 });
      const begunMs = await page.evaluate(() => performance.now());
      // Too short to trigger an action.
      await drag(devtools, { x: 120, y: 300 }, { x: 230, y: 300 });
      gapMs = await page.evaluate(from => {
        const frames = globalThis.seen.frames.filter(at => at >= from);
        return Math.max(...frames.slice(1).map((at, index) => at - (frames[index] ?? at)));
      }, begunMs);
      for (let number = 0; number < LETTERS; number++) {
        await rows
          .nth(number % 5)
          .getByRole('link')
          .first()
          .tap();
        await page.getByRole('article').locator('section[data-message]').first().waitFor();
        await page.goBack();
        await rows.first().waitFor();
      }
    });
    return { coldMs, taskMs: longest(tasks, 'cpuMs'), shift, gapMs };
  } finally {
    await context.close();
  }
}

export async function run([rounds = '5']) {
  const product = await createProduct();
  await product.start();
  const browser = await openBrowser({ isWhole: true });
  const all = [];
  try {
    const known = await fillMailbox(product, browser);
    for (let n = 0; n < Number(rounds); n++) all.push(await measureOnce(browser, product.baseUrl, known));
  } finally {
    await browser.close();
    await product.remove();
  }
  const line = (kind, peer, unit, digits = 1) => ({
    bench: `slow-phone ${kind}`,
    ours: Number(median(all.map(one => one[kind])).toFixed(digits)),
    peer,
    unit,
    peer_is: 'the limit',
    goal: '<= 1',
  });
  return [
    line('coldMs', LIST_MS, 'ms until the list, cold, at 1.6 Mbit/s, 150 ms and a quarter of the CPU'),
    line('taskMs', TASK_MS, 'ms, longest task, CPU slowed down 4 times'),
    line('shift', SHIFT, 'layout shift without input', 4),
    line('gapMs', FRAME_GAP_MS, 'ms, longest gap between two frames of a swipe, wall-clock time'),
  ];
}
