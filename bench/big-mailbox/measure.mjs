/**
 * What a user perceives in a large mailbox, measured in the page: time to rows, from a key to the
 * next frame, gaps while scrolling, and rows in the document.
 */
const KEYS = 40;
const WHEEL_STEPS = 120;
const WHEEL_PIXELS = 900;
const KEY_PAUSE_MS = 60;

export function percentile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

const rows = page => page.getByRole('list', { name: 'Messages' }).getByRole('listitem');

/** Returns the milliseconds from reloading the page to its first rows. */
export async function timeToRows(page) {
  const startedAt = performance.now();
  await page.reload({ waitUntil: 'commit' });
  await rows(page).first().waitFor();
  return performance.now() - startedAt;
}

/** Returns the milliseconds from each press of `j` to the frame after it. */
export async function keyToFrame(page) {
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
}

/**
 * Scrolls the list at wheel speed. Returns the longest gap between two frames and the maximum
 * number of rows in the document.
 */
export async function scroll(page) {
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
}

const LOOK_EVERY_MS = 1_000;

const searchField = page => page.getByRole('combobox', { name: 'Search mail' });

/**
 * Types a word that only one message contains. Returns the milliseconds from the last key until
 * only its row is shown, and until the list is back.
 */
export async function searchFor(page, word) {
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
}

/**
 * Waits until a search no longer reports that the index is being filled. Returns the seconds from
 * the call.
 */
export async function untilIndexed(page, patienceMs) {
  const startedAt = performance.now();
  await page.keyboard.press('/');
  await page.keyboard.type('a');
  const status = page.getByRole('status').filter({ hasText: /index/i });
  await page.waitForTimeout(LOOK_EVERY_MS);
  await status.waitFor({ state: 'detached', timeout: patienceMs });
  await searchField(page).press('Escape');
  return Math.round((performance.now() - startedAt) / 1000);
}
