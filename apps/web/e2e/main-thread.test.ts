// The page stays responsive while mail is opened: no cryptographic primitive runs on the main
// thread, and no task there uses more than 50 ms of CPU time while a list is opened cold, followed
// by fifty messages that include newsletters of 100 KB (docs/acceptance.md). On a machine slower
// than a current one, the limit is the time that a fixed piece of work takes there. `npm run bench
// -- main-thread` measures the goal itself and the wall-clock times, which depend on the machine's
// other load.

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
/**
 * A task must exceed the limit in every attempt to count, because caches filled by other processes
 * cost CPU time too.
 */
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
    'has no task over 50 ms while the list and fifty messages open (%s)',
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

  test('performs no cryptography, which runs in the key worker', async () => {
    const { page } = person;
    expect([...calledAtSignin, ...(await cryptoCalled(page))]).toEqual([]);
    // Separate workers open, fill and search the index; no other worker may hold keys or messages.
    const workers = page.workers().map(worker => new URL(worker.url()).pathname.split('.')[1]);
    expect(workers).toContain('key-worker');
    const ours = ['key-worker', 'search-worker', 'reading-worker'];
    expect(workers.filter(name => !ours.includes(name ?? ''))).toEqual([]);
  });

  test('is watched by probes that detect a planted task and call', async () => {
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
