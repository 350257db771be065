// The key log as people meet it (docs/crypto.md, Key log): a server that gives one person other keys than everybody is
// caught before anything is sealed with them, one that shows two people two logs when they write to each other, and one
// that gave out foreign keys for an address is told of to its owner.
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { clientOf, join } from './support/accounts.ts';
import { changeAnswer } from './support/answers.ts';
import { openPerson, type Person } from './support/browser.ts';
import { awaitMail, openMail, rowOf, startDraft } from './support/people.ts';
import { startProduct } from './support/story.ts';

type KeyAnswer = { data: { email: string; dh_public: string; mlkem_public: string; fingerprint: string }[] };

describe.skipIf(chromiumPath === null)('the key log (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let alice: Person;
  let bob: Person;
  let page: Page;

  const alarm = (of: Page, words: string) => of.getByRole('alert').filter({ hasText: words });

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    [alice, bob] = [await openPerson(browser), await openPerson(browser)];
    page = alice.page;
    await Promise.all([
      join(alice, product.baseUrl, 'Alice Almeida', 'alice'),
      join(bob, product.baseUrl, 'Bob Brandt', 'bob'),
    ]);
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test('keys that the log does not confirm are not sealed with, and the reason is said', async () => {
    const { mail } = clientOf(alice, product.baseUrl);
    const [own] = (await mail.keys({ users: ['alice@keyfold.test'] })).data;
    // Somebody else's keys in the place of Bob's.
    await page.route('**/user/keys', route =>
      changeAnswer<KeyAnswer>(route, json => {
        json.data = json.data.map(one =>
          one.email === 'bob@keyfold.test' ? { ...one, ...own, email: one.email } : one,
        );
      }),
    );
    let isSent = false;
    page.on('request', request => {
      if (request.url().endsWith('/user/send_private')) isSent = true;
    });
    await page.getByRole('button', { name: 'Compose' }).first().click();
    await page.getByRole('combobox', { name: 'To: add recipient' }).fill('bob@keyfold.test');
    await page.getByRole('combobox', { name: 'To: add recipient' }).press('Enter');
    await page.getByRole('textbox', { name: 'Subject' }).fill('Caught');
    await page.getByRole('textbox', { name: 'Message' }).fill('Not for other eyes.');
    await alarm(page, 'The key log of this service does not add up').waitFor();
    await page
      .getByText('These keys could not be confirmed, so nothing is sealed with them')
      .first()
      .waitFor();
    const send = page.getByRole('button', { name: /^(?:Send|Retry)/ }).first();
    await expect.poll(() => send.getAttribute('aria-disabled')).toBe('true');
    expect(isSent).toBe(false);
    // The right keys, asked for again by itself, and the letter may go.
    await page.unrouteAll({ behavior: 'wait' });
    await send.click();
    await awaitMail(bob.page, 'Caught');
    expect(isSent).toBe(true);
  });

  test('readers compare what the sender saw, and a server with two logs is found out', async () => {
    const compared = bob.page.waitForResponse('**/user/key_log/growth*');
    await openMail(bob.page, 'Caught');
    expect((await compared).status()).toBe(200);
    await expect.poll(() => alarm(bob.page, 'key log').count()).toBe(0);
    // The log grows, and the server cannot prove that it grew out of what Alice saw.
    await join(await openPerson(browser), product.baseUrl, 'Carla Costa', 'carla');
    await bob.page.route('**/user/key_log/growth*', route =>
      route.fulfill({ json: { success: true, data: { path: '' } } }),
    );
    await bob.page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await rowOf(bob.page, 'Caught').waitFor();
    await startDraft(bob.page, 'carla@keyfold.test', 'sealed');
    await openMail(bob.page, 'Caught');
    await alarm(bob.page, 'The key log of this service does not add up').waitFor();
  });

  test('a history of one’s own address that the log was not made of is told', async () => {
    await page.route('**/user/key_log/history*', route =>
      changeAnswer<{ data: { keys: string }[] }>(route, ({ data: [first] }) => {
        if (first !== undefined) first.keys = Buffer.alloc(32, 7).toString('base64');
      }),
    );
    await page.reload();
    await alarm(page, 'The key log of this service does not add up').waitFor();
  });
});
