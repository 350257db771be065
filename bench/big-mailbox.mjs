/**
 * big-mailbox: a mailbox of generated messages (bench/big-mailbox/messages.mjs) in Chromium: first
 * rows, keys, scrolling, actions, searching, and the tab's memory throughout. Arguments: messages
 * (default 100000), rounds (default 5). The limits are those of the shared performance goals and of
 * the acceptance list; the peer of each line is its limit.
 */
import { createProduct } from '@keyfold/testing/product';
import { openPerson } from '../apps/web/e2e/support/browser.ts';
import { password, signIn } from '../apps/web/e2e/support/people.ts';
import { fillMailbox, register } from './big-mailbox/fill.mjs';
import {
  keyToFrame,
  percentile,
  scroll,
  searchFor,
  timeToRows,
  untilIndexed,
} from './big-mailbox/measure.mjs';
import { measureMemory } from './big-mailbox/memory.mjs';
import { rareWordOf } from './big-mailbox/messages.mjs';
import { openChromium } from './shared/chromium.mjs';

const ADDRESS = 'big@keyfold.test';
const SETTLE_MS = 500;
/** The memory limit is for 50,000 messages; the generator puts three in a row. */
const LIMITED_ROWS = Math.ceil(50_000 / 3);
/** Time per message until the index must be complete; also the minimum for all of them. */
const INDEX_MS_PER_MESSAGE = 20;
const INDEX_MS = 60_000;

const line = (bench, ours, peer, unit) => ({
  bench: `big-mailbox ${bench}`,
  ours: Number(ours.toFixed(1)),
  peer,
  unit,
  peer_is: 'the limit',
  goal: '<= 1',
});

/** Returns the milliseconds until an archived row has left the list. */
async function archiveOne(page) {
  // After a change the list focuses the next row; the row that has the focus then is the one
  // measured.
  await page.waitForTimeout(SETTLE_MS);
  await page.getByRole('list', { name: 'Messages' }).getByRole('link').first().focus();
  await page.waitForTimeout(SETTLE_MS);
  const href = await page.evaluate(() => document.activeElement?.getAttribute('href'));
  const startedAt = performance.now();
  await page.keyboard.press('e');
  await page.waitForFunction(gone => document.querySelector(`#list a[href="${gone}"]`) === null, href);
  return performance.now() - startedAt;
}

export async function run([messages = '100000', rounds = '5']) {
  const product = await createProduct({ KEYFOLD_CAPTCHA_COST: '0' });
  await product.start();
  const browser = await openChromium();
  try {
    await register(product.baseUrl, 'Big Mailbox', ADDRESS, password);
    const rate = await fillMailbox(product, ADDRESS, Number(messages));
    const { page } = await openPerson(browser);
    await signIn(page, product.baseUrl, ADDRESS);
    const toRows = [];
    for (let n = 0; n < Number(rounds); n++) toRows.push(await timeToRows(page));
    const scrolled = await scroll(page);
    await timeToRows(page);
    const archived = [];
    for (let n = 0; n < Number(rounds); n++) archived.push(await archiveOne(page));
    const keys = await keyToFrame(page);
    await timeToRows(page);
    const indexMs = INDEX_MS + Number(messages) * INDEX_MS_PER_MESSAGE;
    await untilIndexed(page, indexMs);
    const words = Array.from({ length: Number(rounds) }, (_, n) =>
      rareWordOf(Math.floor((Number(messages) * (n + 1)) / (Number(rounds) + 1))),
    );
    const found = [];
    for (const word of words) found.push(await searchFor(page, word));
    await page.close();
    const memory = await measureMemory(product.baseUrl, ADDRESS, password, {
      limitedRows: LIMITED_ROWS,
      allRows: Number(messages),
      indexMs,
      words,
    });
    return [
      line('first rows', percentile(toRows, 0.5), 1200, 'ms, list shown, warm'),
      line('key', percentile(keys, 0.5), 50, 'ms from key to frame, median'),
      line('key p95', percentile(keys, 0.95), 100, 'ms from key to frame, p95'),
      line('archive', percentile(archived, 0.5), 100, 'ms until the row has left'),
      line('scroll gap', scrolled.gapMs, 100, 'ms, longest time without a frame'),
      line('rows in the page', scrolled.rows, 40, 'row nodes, maximum'),
      line('search', percentile(found, 0.5), 100, 'ms from the last key to the hit, median'),
      line(
        'memory scrolled',
        memory.scrolled,
        250,
        `MB, peak of the tab, ${memory.seen} rows (of three messages) scrolled through`,
      ),
      line(
        'memory scrolled to the end',
        memory.scrolledAll,
        250,
        `MB, peak of the tab, ${memory.seenAll} rows; the limit is one of 50,000 messages`,
      ),
      line(
        'memory indexed',
        memory.indexed,
        250,
        `MB, peak until the index was complete, ${memory.indexedSeconds} s`,
      ),
      line('memory searched', memory.searched, 250, 'MB, peak while searching'),
      line('fill', rate, 500, 'messages/s sealed and stored (more is better)'),
    ];
  } finally {
    await browser.close();
    await product.remove();
  }
}
