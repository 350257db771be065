// Plans and payment, with a server that implements Stripe's API and shows its pages
// (docs/spec-map.md 2, 7, 8; docs/interpretations.md#74 and #91): without keys, upgrades to Plus
// and Pro, invoices, cancellation, and error texts.
import type { Product } from '@keyfold/testing/product';
import { runSql } from '@keyfold/testing/product-sql';
import { type StripePeer, startStripePeer } from '@keyfold/testing/stripe/peer';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { findDefects } from './support/axe.ts';
import { openPerson } from './support/browser.ts';
import { prepareProduct } from './support/story.ts';

describe.skipIf(chromiumPath === null)('the subscription (needs Chromium)', () => {
  /** Filled when the service is to accept payments; it is read at the next start. */
  const env: Record<string, string> = {};
  let peer: StripePeer;
  let product: Product;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [peer, product] = [await startStripePeer(), await prepareProduct(env)];
    await product.start();
    browser = await openBrowser();
    const person = await openPerson(browser);
    page = person.page;
    await join(person, product.baseUrl, 'Alice Almeida', 'alice');
  });
  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    await peer?.close();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  const alert = (text: string) => page.getByRole('alert').getByText(text).first();
  const open = async () => {
    await page.goto(`${product.baseUrl}/app/config/subscription`);
    await page.getByRole('heading', { name: 'Subscription', level: 1 }).waitFor();
    await card('Pro').waitFor();
  };
  /** Makes Stripe reject requests until the action has failed with this text. */
  const failing = async (path: RegExp, words: string, act: () => Promise<void>) => {
    peer.failure = { path, answer: 400 };
    await act();
    await alert(words).waitFor();
    peer.failure = null;
  };

  test('without keys the page says that billing is disabled and shows what each plan allows', async () => {
    await open();
    await page.getByText('Billing is disabled on this server').waitFor();
    await card('Plus').getByText('50 GB').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Upgrade|Manage billing/ }).count()).toBe(0);
    expect(await findDefects(page)).toEqual([]);
    Object.assign(env, peer.env);
    await product.stop();
    await product.start();
    peer.webhookUrl = `${product.baseUrl}/stripe/webhook`;
  });

  test('prices are monthly or yearly, and invoices require a plan', async () => {
    await open();
    await card('Plus').getByText('€4').waitFor();
    await page.getByRole('radio', { name: 'Yearly, 2 months free' }).check();
    await card('Plus').getByText('€40').waitFor();
    await page.getByRole('radio', { name: 'Monthly' }).check();
    await button('Manage billing').click();
    await alert('Please select a plan first using the upgrade buttons below.').waitFor();
    await failing(/checkout/, 'Failed to create checkout session', () => button('Upgrade to Plus').click());
    expect(await findDefects(page)).toEqual([]);
  });

  test('a plan is paid for on Stripe’s page, and the returning user sees what changed', async () => {
    await button('Upgrade to Plus').click();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByText('No payment was made, and your plan hasn’t changed.').waitFor();
    await button('Done').click();
    await expect.poll(() => page.url()).toMatch(/\/subscription$/);
    const told = peer.events.length;
    peer.webhookUrl = null;
    await button('Upgrade to Plus').click();
    await button('Subscribe').click();
    await page.getByText('Waiting for Stripe to confirm your payment…').waitFor();
    for (const event of peer.events.slice(told).reverse())
      await expect.poll(() => peer.send(`${product.baseUrl}/stripe/webhook`, event)).toBe(200);
    await page.getByText('You’re now on the Plus plan').waitFor();
    await page.getByText('5 GB → 50 GB').waitFor();
    await card('Plus').getByRole('button', { name: 'Current plan' }).waitFor();
    expect(await findDefects(page)).toEqual([]);
    peer.webhookUrl = `${product.baseUrl}/stripe/webhook`;
  });

  test('changing a running subscription asks for confirmation and fails when the card is declined', async () => {
    peer.declines = true;
    await button('Upgrade to Pro').click();
    await button('Change now').click();
    await alert('The payment was declined. Check your card at Stripe.').waitFor();
    expect(await findDefects(page)).toEqual([]);
    peer.declines = false;
    await button('Change now').click();
    await page.getByText('You’re now on the Pro plan').waitFor();
    expect(peer.subscriptions).toHaveLength(1);
    await page.getByRole('radio', { name: 'Yearly, 2 months free' }).check();
    await card('Pro').getByRole('button', { name: 'Switch to yearly billing' }).click();
    await button('Change now').click();
    await page.getByText('Billed yearly.').waitFor();
  });

  test('the billing portal replaces the page and leads back', async () => {
    await failing(/portal/, 'Failed to open billing portal', () => button('Manage billing').click());
    await card('Plus').getByRole('button', { name: 'Change at Stripe' }).click();
    await page.getByRole('heading', { name: 'Your invoices' }).waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await card('Pro').getByRole('button', { name: 'Current plan' }).waitFor();
  });

  test('canceling asks for confirmation, states the end date, and can be undone', async () => {
    const question = page.getByRole('alertdialog', { name: 'Cancel your Pro subscription?' });
    await button('Cancel subscription').click();
    await question.getByText(/^Pro lasts until \w+ \d+, 20\d\d and won’t renew\./).waitFor();
    expect(await findDefects(page)).toEqual([]);
    await question.getByRole('button', { name: 'Keep Pro' }).click();
    await page.getByText(/^Pro is paid until/).waitFor();
    const cancel = async () => {
      await button('Cancel subscription').click();
      await question.getByRole('button', { name: 'Cancel subscription' }).click();
    };
    await failing(/subscriptions\//, 'Failed to cancel subscription', cancel);
    await cancel();
    await page.getByText(/^Pro lasts until \w+ \d+, 20\d\d\./).waitFor();
    expect(await findDefects(page)).toEqual([]);
    await failing(/subscriptions\//, 'Failed to resume subscription', () => button('Keep Pro').click());
    await button('Keep Pro').click();
    await page.getByText(/^Pro is paid until/).waitFor();
  });

  test('a failed payment is shown, an ended subscription can be renewed, and the top plan has no upgrade', async () => {
    const [subscription] = peer.subscriptions;
    if (subscription === undefined) throw new Error('No payment was made');
    peer.change(subscription.id, { status: 'past_due' }, 'invoice.payment_failed');
    await expect.poll(() => open().then(() => page.getByText('The last payment failed').count())).toBe(1);
    peer.change(subscription.id, { status: 'canceled' }, 'customer.subscription.deleted');
    await expect.poll(() => open().then(() => button('Upgrade to Plus').count())).toBe(1);
    // This page does not know of a plan that an admin assigns meanwhile.
    expect(await runSql(product, "update users set plan = 'pro'")).toBe('UPDATE 1');
    await button('Upgrade to Pro').click();
    await alert('Unable to determine upgrade path').waitFor();
    await runSql(product, "update users set plan = 'free'");
  });

  test('limits on other pages link to the plans', async () => {
    await page.goto(`${product.baseUrl}/app/security/analytics`);
    await page.getByText('Plus plan required for security analytics').waitFor();
    await page.getByRole('link', { name: 'See plans' }).click();
    await page.getByRole('heading', { name: 'Subscription', level: 1 }).waitFor();
    await card('Plus').waitFor();
  });
});
