/**
 * What a person would feel in a large mailbox, measured in the page: time to rows, from a key to the next frame, gaps
 * while scrolling, rows in the document, and the memory of the tab's process.
 */
import { readFileSync } from 'node:fs';

const KEYS = 40;
const WHEEL_STEPS = 120;
const WHEEL_PIXELS = 900;
const KEY_PAUSE_MS = 60;

export const percentile = (numbers, share) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
};

const rows = page => page.getByRole('list', { name: 'Messages' }).getByRole('listitem');

/** Milliseconds from loading the page again to its first rows. */
export const timeToRows = async page => {
  const startedAt = performance.now();
  await page.reload({ waitUntil: 'commit' });
  await rows(page).first().waitFor();
  return performance.now() - startedAt;
};

/** Milliseconds from each press of `j` to the frame after it. */
export const keyToFrame = async page => {
  await page.evaluate(() => {
    globalThis.keyTimes = [];
    addEventListener(
      'keydown',
      event => {
        const pressedAt = event.timeStamp;
        requestAnimationFrame(() =>
          setTimeout(() => globalThis.keyTimes.push(performance.now() - pressedAt)),
        );
      },
      { capture: true },
    );
  });
  for (let n = 0; n < KEYS; n++) {
    await page.keyboard.press('j');
    await page.waitForFunction(count => globalThis.keyTimes.length >= count, n + 1);
  }
  return page.evaluate(() => globalThis.keyTimes);
};

/** Scrolls the list at the speed of a wheel: the longest gap between two frames, and the most rows in the document. */
export const scroll = async page => {
  await rows(page).first().hover();
  await page.evaluate(() => {
    const seen = { gapMs: 0, rows: 0, last: performance.now() };
    globalThis.scrollSeen = seen;
    const look = now => {
      seen.gapMs = Math.max(seen.gapMs, now - seen.last);
      seen.last = now;
      seen.rows = Math.max(seen.rows, document.querySelectorAll('#list li').length);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  for (let n = 0; n < WHEEL_STEPS; n++) await page.mouse.wheel(0, WHEEL_PIXELS);
  await page.waitForTimeout(1_000);
  return page.evaluate(() => ({ gapMs: globalThis.scrollSeen.gapMs, rows: globalThis.scrollSeen.rows }));
};

/** Megabytes that the tab's process alone has: page, workers, decoded pictures. Linux only; NaN elsewhere. */
const tabMegabytes = async browser => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      try {
        const text = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
        return Number(/Private_Dirty:\s+(\d+)/.exec(text)?.[1] ?? Number.NaN) / 1024;
      } catch {
        return Number.NaN;
      }
    });
  return Math.max(...sizes.filter(Number.isFinite));
};

const JUMP_PIXELS = 4_000;
const JUMPS_BETWEEN_LOOKS = 40;
const PATIENCE_MS = 20_000;

/** The place in the list of the last row in the document. */
const lastIndex = page =>
  page.evaluate(() =>
    Math.max(0, ...[...document.querySelectorAll('#list li')].map(li => Number(li.dataset.index))),
  );

/** Scrolls on until `wanted` mails have gone by, or no more come; how many did. */
export const scrollThrough = async (page, wanted) => {
  await rows(page).first().hover();
  let seen = 0;
  let movedAt = performance.now();
  while (seen < wanted && performance.now() - movedAt < PATIENCE_MS) {
    for (let n = 0; n < JUMPS_BETWEEN_LOOKS; n++) await page.mouse.wheel(0, JUMP_PIXELS);
    const now = await lastIndex(page);
    if (now > seen) movedAt = performance.now();
    seen = Math.max(seen, now);
  }
  return seen;
};

const LOOK_EVERY_MS = 1_000;

/** Looks at the tab's memory every second from now on; `mark` says the most since the mark before. */
export const watchMemory = browser => {
  let most = 0;
  let isWatching = true;
  const watching = (async () => {
    while (isWatching && browser.isConnected()) {
      // A browser that was closed meanwhile has no more to say; what ended the measurement says why.
      most = Math.max(most, await tabMegabytes(browser).catch(() => 0));
      await new Promise(resolve => setTimeout(resolve, LOOK_EVERY_MS));
    }
  })();
  return {
    mark: () => {
      const seen = most;
      most = 0;
      return seen;
    },
    stop: () => {
      isWatching = false;
      return watching;
    },
  };
};

const searchField = page => page.getByRole('combobox', { name: 'Search mail' });

/** Types a word that one letter has; milliseconds from the last key to its row alone, and back to the list. */
export const searchFor = async (page, word) => {
  await page.keyboard.press('/');
  await page.keyboard.type(word, { delay: KEY_PAUSE_MS });
  const startedAt = performance.now();
  await page.waitForFunction(() => document.querySelectorAll('#list li').length === 1, undefined, {
    polling: 'raf',
  });
  const ms = performance.now() - startedAt;
  await searchField(page).press('Escape');
  await page.waitForFunction(() => document.querySelectorAll('#list li').length > 1);
  return ms;
};

/** Waits until a search says no more that the index is being filled; seconds from now. */
export const untilIndexed = async (page, patienceMs) => {
  const startedAt = performance.now();
  await page.keyboard.press('/');
  await page.keyboard.type('a');
  const status = page.getByRole('status').filter({ hasText: /index/i });
  await page.waitForTimeout(LOOK_EVERY_MS);
  await status.waitFor({ state: 'detached', timeout: patienceMs });
  await searchField(page).press('Escape');
  return Math.round((performance.now() - startedAt) / 1000);
};
