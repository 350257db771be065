// The page answers while mail is opened: no primitive runs on the main thread, and no task there takes over 50 ms of the
// processor while a list is opened cold and fifty letters after it, newsletters of 100 KB among them (docs/acceptance.md). On a
// machine that is slower now than those of today, the limit is what a fixed piece of work takes there. The goal itself, and
// what the clock says, which depends on what else the machine does, are measured by `npm run bench -- main-thread`.

import type { Product } from '@keyfold/testing/product';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { openPerson, type Person } from './support/browser.ts';
import { fillMailbox, openList, reader, readMessages } from './support/full-mailbox.ts';
import { cryptoCalled, type Task, traceTasks, watchCrypto, yardstick } from './support/main-thread.ts';
import { signIn } from './support/people.ts';
import { startProduct } from './support/story.ts';

const LIMIT_MS = 50;
/** A task over the limit must be so each time: caches that others fill cost time of the processor too. */
const TRIES = 3;

const overLimit = (tasks: readonly Task[], allowedMs: number): Task[] =>
  tasks.filter(({ cpuMs }) => cpuMs > allowedMs);

describe.skipIf(chromiumPath === null)('the main thread (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let person: Person;
  let calledAtSignin: readonly string[];

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    person = await openPerson(browser);
    await person.context.addCookies(await fillMailbox(product, browser));
    await watchCrypto(person.page);
    await signIn(person.page, product.baseUrl, reader);
    calledAtSignin = await cryptoCalled(person.page);
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test.for(['light', 'dark'] as const)(
    'has no task over 50 ms while the list and fifty letters open (%s)',
    async colorScheme => {
      const { page } = person;
      await page.emulateMedia({ colorScheme });
      let over: Task[] = [];
      for (let round = 0; round < TRIES; round += 1) {
        const allowedMs = Math.max(LIMIT_MS, await yardstick(browser, page));
        const tasks = await traceTasks(browser, page, async () => {
          await openList(page, product.baseUrl);
          await readMessages(page);
        });
        expect(tasks.length).toBeGreaterThan(1_000);
        over = overLimit(tasks, allowedMs);
        if (over.length === 0) break;
      }
      expect(over).toEqual([]);
    },
  );

  test('runs no primitive, which the key worker does', async () => {
    const { page } = person;
    expect([...calledAtSignin, ...(await cryptoCalled(page))]).toEqual([]);
    // The index is opened, filled and searched in workers of their own; nothing else may hold keys or letters.
    const workers = page.workers().map(worker => new URL(worker.url()).pathname.split('.')[1]);
    expect(workers).toContain('key-worker');
    const ours = ['key-worker', 'search-worker', 'reading-worker'];
    expect(workers.filter(name => !ours.includes(name ?? ''))).toEqual([]);
  });

  test('is watched by means that see what they look for', async () => {
    const { page } = person;
    const tasks = await traceTasks(browser, page, () =>
      page.evaluate(async ms => {
        await crypto.subtle.digest('SHA-256', new Uint8Array(1));
        const until = performance.now() + ms;
        while (performance.now() < until);
      }, LIMIT_MS * 10),
    );
    expect(await cryptoCalled(page)).toEqual(['digest']);
    expect(overLimit(tasks, LIMIT_MS)).toHaveLength(1);
  });
});
