// Additional addresses, and a custom domain from its first record to its removal, with a DNS server
// that the test runs (docs/spec-map.md 5, 7, 8; docs/acceptance.md 62, 63).
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { findDefects } from './support/axe.ts';
import { type StoryDns, startStoryDns } from './support/dns.ts';
import { startStory } from './support/story.ts';

const domain = 'harborlight.test';

describe.skipIf(chromiumPath === null)('addresses and domains (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;
  let dns: StoryDns;

  const settings = async (name: string, title: string) => {
    await page.goto(`${product.baseUrl}/app/config/${name}`);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  };
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const rowOf = (text: string) => page.getByRole('listitem').filter({ hasText: text }).first();
  const recordOf = (host: string, type: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: `Copy host ${host}`, exact: true }), hasText: type });
  const choose = async (address: string, entry: string) => {
    await button(`More actions for ${address}`).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };
  /** Makes one request fail and waits for the error text. */
  const failing = async (path: string, words: string, act: () => Promise<void>) => {
    await page.route(`**${path}`, route =>
      route.fulfill({ status: 500, json: { success: false, message: 'Something failed', code: 'failed' } }),
    );
    await act();
    await page.getByRole('alert').getByText(words, { exact: true }).first().waitFor();
    await page.unroute(`**${path}`);
  };

  beforeAll(async () => {
    dns = await startStoryDns();
    ({ product, browser, page } = await startStory({ DNS_SERVERS: dns.server }));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    dns?.close();
  });

  test('an address can be created, made the default sender, disabled, replaced and deleted', async () => {
    await settings('addresses', 'Addresses');
    await page.getByText('0 of 3 used').waitFor();
    await button('New address').click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('alice.shops');
    await failing('/user/address', 'Failed to create address', () => button('Create').click());
    await button('Create').click();
    const alias = 'alice.shops@keyfold.test';
    await rowOf(alias).waitFor();
    await page.getByText('1 of 3 used').waitFor();
    await choose(alias, 'Label');
    await page.getByRole('textbox', { name: 'Label' }).fill('Shops');
    await button('Save').click();
    await rowOf(alias).getByText('Shops', { exact: true }).waitFor();
    await button(`Send new messages from ${alias}`).click();
    await rowOf(alias).getByText('Default').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await button('Compose').first().click();
    await expect.poll(() => page.getByRole('combobox', { name: 'From' }).inputValue()).toBe(alias);
    await button('Save and close').first().click();
    await choose(alias, 'Replace with random address');
    await failing('/user/rotate', 'Failed to regenerate address', () => button('Replace').click());
    await button('Replace').click();
    await rowOf(alias).waitFor({ state: 'detached' });
    const fresh = (await rowOf('Shops').locator('bdi').textContent()) ?? '';
    expect(fresh).toMatch(/^[a-z][a-z2-9]{11}@keyfold\.test$/);
    await page.getByRole('switch', { name: `Receive mail at ${fresh}` }).click();
    await rowOf(fresh).getByText('Off', { exact: true }).waitFor();
    await choose(fresh, 'Delete');
    await failing('/user/delete_address', 'Failed to delete address', () => button('Delete').click());
    await button('Delete').click();
    await rowOf(fresh).waitFor({ state: 'detached' });
    await page.getByText('0 of 3 used').waitFor();
  });

  test('a domain becomes ready record by record, and wrong records show what was found', async () => {
    await settings('domains', 'Domains');
    await page.getByRole('textbox', { name: 'Your domain' }).fill(domain);
    await failing('/user/domain/register', 'Failed to register domain', () => button('Add domain').click());
    await button('Add domain').click();
    await page.getByRole('heading', { name: domain, level: 1 }).waitFor();
    const steps = page.locator('li[aria-current="step"]');
    await recordOf(domain, 'keyfold-verify').waitFor();
    const rows = await page.getByRole('row').count();
    expect(rows).toBeGreaterThan(6);
    await expect
      .poll(() => recordOf(domain, 'keyfold-verify').locator('code').first().textContent())
      .toBe('@');
    const values = new Map<string, string[]>();
    for (const row of (await page.getByRole('row').all()).slice(1)) {
      const host = (await row.getByRole('button', { name: /^Copy host/ }).getAttribute('aria-label')) ?? '';
      const value = (await row.locator('code').last().textContent()) ?? '';
      await row.getByRole('button', { name: /^Copy value/ }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(value);
      values.set(host, [...(values.get(host) ?? []), value]);
    }
    const [proof = '', mx = '', spf = ''] = values.get(`Copy host ${domain}`) ?? [];
    expect([proof, mx, spf]).toEqual([
      expect.stringMatching(/^keyfold-verify=[0-9a-f]{32}$/),
      'mail.keyfold.test',
      'v=spf1 include:keyfold.test ~all',
    ]);
    dns.zone[domain] = { TXT: [proof, 'v=spf1 include:_spf.oldhost.test -all'], MX: [[10, mx]] };
    await failing('/user/domain/health?domain=harborlight.test', 'Couldn’t query DNS', () =>
      button('Check now').click(),
    );
    await button('Try again').click();
    await page.getByText(/^Last checked \d+ seconds? ago\./).waitFor();
    await recordOf(domain, 'keyfold-verify').getByText('Found', { exact: true }).waitFor();
    const wrong = recordOf(domain, 'spf1');
    await wrong.getByText('Different').waitFor();
    await wrong.getByText('Found: v=spf1 include:_spf.oldhost.test -all').waitFor();
    await wrong.getByText('Combine both values in one record.').waitFor();
    await expect.poll(() => steps.textContent()).toContain('Sending');
    expect(await findDefects(page)).toEqual([]);
    dns.zone[domain] = { TXT: [proof, spf], MX: [[10, mx]] };
    for (const [host, [value = '']] of values)
      if (host !== `Copy host ${domain}`) dns.zone[host.slice('Copy host '.length)] = { TXT: [value] };
    await button('Check now').click();
    await expect.poll(() => page.getByText('Found', { exact: true }).count()).toBe(rows - 1);
    await expect.poll(() => steps.textContent()).toContain('Addresses');
  });

  test('a domain can have addresses, a catch-all and primary roles, and be deleted without them', async () => {
    await button('New address').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('hello');
    await failing('/user/domain/address', 'Failed to create domain address', () => button('Create').click());
    await button('Create').click();
    await page.getByText(`hello@${domain}`).waitFor();
    const toggle = (name: string) => page.getByRole('switch', { name });
    await failing('/user/domain/catchall', 'Failed to change domain', () => toggle('Catch-all').click());
    await toggle('Catch-all').click();
    await page.getByText('Mail to unknown addresses goes to alice@keyfold.test.').waitFor();
    await failing('/user/domain/set_primary', 'Failed to set primary domain', () =>
      toggle('Primary domain').click(),
    );
    await toggle('Primary domain').click();
    await page
      .getByText('Cannot delete primary domain. Please set another domain as primary first.', { exact: true })
      .waitFor();
    await expect.poll(() => button('Delete').isDisabled()).toBe(true);
    await toggle('Main address').click();
    await expect.poll(() => toggle('Main address').isChecked()).toBe(true);
    await page.getByText(`alice@${domain}`).first().waitFor();
    await settings('domains', 'Domains');
    await page.getByText('You have reached your domain limit', { exact: true }).waitFor();
    await rowOf(domain).getByText('Ready').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await page.getByRole('link', { name: domain }).click();
    await toggle('Main address').click();
    await toggle('Primary domain').click();
    await page.getByText('This also deletes its addresses.').waitFor();
    await expect.poll(() => toggle('Main address').isChecked()).toBe(false);
    await button('Delete').click();
    const dialog = page.getByRole('alertdialog');
    await failing('/user/domain/delete', 'Failed to delete domain', () =>
      dialog.getByRole('button', { name: 'Delete' }).click(),
    );
    await button('Delete').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No domains yet').waitFor();
  });
});
