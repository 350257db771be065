/**
 * Memory of a tab with a large mailbox: the private memory of the tab's process, sampled every half
 * second while the list is scrolled through, while the search index is filled, and while searches
 * are typed.
 */
import { readFileSync } from 'node:fs';
import { openPlainTab } from './plain-tab.mjs';

const LOOK_EVERY_MS = 500;
const ENTER_MS = 60_000;
/** A freely spinning wheel: 24,000 pixels per second, 300 rows of 80. */
const TURN_PIXELS = 1_200;
const TURN_MS = 50;
const TURNS_BETWEEN_LOOKS = 20;
const PATIENCE_MS = 20_000;
const KEY_PAUSE_MS = 60;
const QUIET_LOOKS = 6;

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Returns the private memory of this process in megabytes. Linux only; NaN elsewhere. */
function privateMegabytes(id) {
  try {
    const text = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
    return Number(/Private_Dirty:\s+(\d+)/.exec(text)?.[1] ?? Number.NaN) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Samples the tab's memory from now on; `mark` returns the maximum since the previous call. */
export function watchMemory(tab) {
  let most = 0;
  let isWatching = true;
  const watching = (async () => {
    while (isWatching) {
      const sizes = (await tab.renderers()).map(privateMegabytes).filter(Number.isFinite);
      most = Math.max(most, ...sizes);
      await sleep(LOOK_EVERY_MS);
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
}

const rows = "document.querySelectorAll('#list li').length";

/** Signs in through the form; resolves when the list is shown. */
export async function signIn(tab, baseUrl, address, password) {
  const fill = async (field, text) => {
    await tab.until(`document.querySelector('${field}') !== null`, ENTER_MS);
    await tab.evaluate(`document.querySelector('${field}').focus()`);
    await tab.type(text);
  };
  await tab.go(`${baseUrl}/app/signin`);
  await fill('main input:not([type=password]):not([type=hidden]):not([readonly])', address);
  await fill('main input[type=password]', password);
  // The reminder of the recovery kit would cover the list.
  await tab.evaluate("sessionStorage.setItem('kit_later', '1')");
  await tab.evaluate(
    "[...document.querySelectorAll('button')].find(one => one.textContent === 'Sign in').click()",
  );
  await tab.until(`${rows} > 0`, ENTER_MS);
}

/** Scrolls until `wanted` rows have passed or no more appear. Returns how many passed. */
async function scrollThrough(tab, wanted) {
  let seen = 0;
  let movedAt = performance.now();
  while (seen < wanted && performance.now() - movedAt < PATIENCE_MS) {
    for (let turn = 0; turn < TURNS_BETWEEN_LOOKS; turn++)
      await Promise.all([tab.wheel(600, 500, TURN_PIXELS), sleep(TURN_MS)]);
    const now = await tab.evaluate("Number([...document.querySelectorAll('#list li')].at(-1).dataset.index)");
    if (now > seen) movedAt = performance.now();
    seen = Math.max(seen, now);
  }
  return seen;
}

export const setSearch = (tab, text) =>
  tab.evaluate(
    `(() => { const field = document.querySelector('[aria-label="Search mail"][role=combobox]'); field.focus(); field.select(); ${text === '' ? "document.execCommand('delete')" : ''} })()`,
  );

async function searchFor(tab, word) {
  await setSearch(tab, '');
  for (const message of word) await Promise.all([tab.type(message), sleep(KEY_PAUSE_MS)]);
  await tab.until(`${rows} === 1`, PATIENCE_MS);
}

/** Waits until the search has reported for a while that nothing is missing. */
export async function untilIndexed(tab, patienceMs) {
  const endsAt = performance.now() + patienceMs;
  for (let quiet = 0; quiet < QUIET_LOOKS; await sleep(LOOK_EVERY_MS)) {
    if (performance.now() > endsAt) throw new Error('the index was not completed');
    quiet = (await tab.evaluate(isIndexed)) ? quiet + 1 : 0;
  }
}

const isIndexed =
  "![...document.querySelectorAll('[role=status]')].some(one => /index/i.test(one.textContent))";

/**
 * Returns the maximum memory of each part, in megabytes; each of the `words` occurs in one message
 * only.
 */
export async function measureMemory(baseUrl, address, password, { limitedRows, allRows, indexMs, words }) {
  const tab = await openPlainTab();
  try {
    await signIn(tab, baseUrl, address, password);
    const memory = watchMemory(tab);
    const seen = await scrollThrough(tab, limitedRows);
    const scrolled = memory.mark();
    const seenAll = await scrollThrough(tab, allRows);
    const scrolledAll = memory.mark();
    const startedAt = performance.now();
    await setSearch(tab, '');
    await tab.type('a');
    await untilIndexed(tab, indexMs);
    const indexedSeconds = Math.round((performance.now() - startedAt) / 1000);
    const indexed = memory.mark();
    for (const word of words) await searchFor(tab, word);
    const searched = memory.mark();
    await memory.stop();
    return { seen, scrolled, seenAll, scrolledAll, indexed, indexedSeconds, searched };
  } finally {
    await tab.close();
  }
}
