// The key log from the user's view (docs/crypto.md, Key log). A server that gives one user
// different keys than everyone else is caught before anything is sealed with them. A server that
// shows two users two logs is caught when they write to each other. A server that gave out foreign
// keys for an address is reported to the address's owner.
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

  test('keys that the log does not confirm are not used, and the reason is shown', async () => {
    const { mail } = clientOf(alice, product.baseUrl);
    const [own] = (await mail.keys({ users: ['alice@keyfold.test'] })).data;
    // Another user's keys in place of Bob's.
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
    await alarm(page, 'This service’s key log is inconsistent').waitFor();
    await page
      .getByText('These keys couldn’t be confirmed, so nothing is encrypted with them')
      .first()
      .waitFor();
    const send = page.getByRole('button', { name: /^(?:Send|Try again)/ }).first();
    await expect.poll(() => send.getAttribute('aria-disabled')).toBe('true');
    expect(isSent).toBe(false);
    // The client requests the keys again by itself, gets the right ones, and the message can be
    // sent.
    await page.unrouteAll({ behavior: 'wait' });
    await send.click();
    await awaitMail(bob.page, 'Caught');
    expect(isSent).toBe(true);
  });

  test('recipients verify the log that the sender saw, and a split log is detected', async () => {
    const compared = bob.page.waitForResponse('**/user/key_log/growth*');
    await openMail(bob.page, 'Caught');
    expect((await compared).status()).toBe(200);
    await expect.poll(() => alarm(bob.page, 'key log').count()).toBe(0);
    // The log grows, and the server cannot prove that it extends the log that Alice saw.
    await join(await openPerson(browser), product.baseUrl, 'Carla Costa', 'carla');
    await bob.page.route('**/user/key_log/growth*', route =>
      route.fulfill({ json: { success: true, data: { path: '' } } }),
    );
    await bob.page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await rowOf(bob.page, 'Caught').waitFor();
    await startDraft(bob.page, 'carla@keyfold.test', 'sealed');
    await openMail(bob.page, 'Caught');
    await alarm(bob.page, 'This service’s key log is inconsistent').waitFor();
  });

  test('a key history that contradicts the log is reported', async () => {
    await page.route('**/user/key_log/history*', route =>
      changeAnswer<{ data: { keys: string }[] }>(route, ({ data: [first] }) => {
        if (first !== undefined) first.keys = Buffer.alloc(32, 7).toString('base64');
      }),
    );
    await page.reload();
    await alarm(page, 'This service’s key log is inconsistent').waitFor();
  });
});
