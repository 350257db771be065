// Plan and payment, with a server that speaks Stripe's API and shows its pages (docs/spec-map.md 2, 7, 8;
// docs/interpretations.md#74 and #91): without keys, to Plus and to Pro, invoices, cancelling, and what is said when something
// fails.
import type { Product } from '@keyfold/testing/product';
import { runSql } from '@keyfold/testing/product-sql';
import { type StripePeer, startStripePeer } from '@keyfold/testing/stripe-peer';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { findDefects } from './support/axe.ts';
import { openPerson } from './support/browser.ts';
import { prepareProduct } from './support/story.ts';

describe.skipIf(chromiumPath === null)('the subscription (needs Chromium)', () => {
  /** Filled when the service is to take payments: it reads them at its next start. */
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
  /** Lets Stripe refuse calls until what is done has failed with these words. */
  const failing = async (path: RegExp, words: string, act: () => Promise<void>) => {
    peer.failure = { path, answer: 400 };
    await act();
    await alert(words).waitFor();
    peer.failure = null;
  };

  test('without keys the page says that billing is off and shows what the plans allow', async () => {
    await open();
    await page.getByText('Billing is off on this server').waitFor();
    await card('Plus').getByText('50 GB').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Upgrade|Payment/ }).count()).toBe(0);
    expect(await findDefects(page)).toEqual([]);
    Object.assign(env, peer.env);
    await product.stop();
    await product.start();
    peer.webhookUrl = `${product.baseUrl}/stripe/webhook`;
  });

  test('prices are by month or by year, and invoices are for who has chosen a plan', async () => {
    await open();
    await card('Plus').getByText('€4').waitFor();
    await page.getByRole('radio', { name: 'Yearly, 2 months free' }).check();
    await card('Plus').getByText('€40').waitFor();
    await page.getByRole('radio', { name: 'Monthly' }).check();
    await button('Payment and invoices').click();
    await alert('Please select a plan first using the upgrade buttons below.').waitFor();
    await failing(/checkout/, 'Failed to create checkout session', () => button('Upgrade to Plus').click());
    expect(await findDefects(page)).toEqual([]);
  });

  test('a plan is paid for on Stripe’s page; who comes back learns what has changed', async () => {
    await button('Upgrade to Plus').click();
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByText('Nothing was paid, and your plan is as it was.').waitFor();
    await button('Done').click();
    await expect.poll(() => page.url()).toMatch(/\/subscription$/);
    const told = peer.events.length;
    peer.webhookUrl = null;
    await button('Upgrade to Plus').click();
    await button('Subscribe').click();
    await page.getByText('Waiting for Stripe to confirm your payment…').waitFor();
    for (const event of peer.events.slice(told).reverse())
      await expect.poll(() => peer.send(`${product.baseUrl}/stripe/webhook`, event)).toBe(200);
    await page.getByText('You are on the Plus plan now').waitFor();
    await page.getByText('5 GB → 50 GB').waitFor();
    await card('Plus').getByRole('button', { name: 'Current plan' }).waitFor();
    expect(await findDefects(page)).toEqual([]);
    peer.webhookUrl = `${product.baseUrl}/stripe/webhook`;
  });

  test('a running subscription is changed after a question, and never without the card', async () => {
    peer.declines = true;
    await button('Upgrade to Pro').click();
    await button('Change now').click();
    await alert('The payment was not accepted. Please check your card at Stripe.').waitFor();
    expect(await findDefects(page)).toEqual([]);
    peer.declines = false;
    await button('Change now').click();
    await page.getByText('You are on the Pro plan now').waitFor();
    expect(peer.subscriptions).toHaveLength(1);
    await page.getByRole('radio', { name: 'Yearly, 2 months free' }).check();
    await card('Pro').getByRole('button', { name: 'Pay by the year' }).click();
    await button('Change now').click();
    await page.getByText('It is paid by the year.').waitFor();
  });

  test('the portal opens in the place of the page and leads back', async () => {
    await failing(/portal/, 'Failed to open billing portal', () => button('Payment and invoices').click());
    await card('Plus').getByRole('button', { name: 'Change at Stripe' }).click();
    await page.getByRole('heading', { name: 'Your invoices' }).waitFor();
    await page.getByRole('link', { name: 'Back' }).click();
    await card('Pro').getByRole('button', { name: 'Current plan' }).waitFor();
  });

  test('canceling asks first, says until when the plan lasts, and is taken back by a click', async () => {
    const question = page.getByRole('alertdialog', { name: 'Cancel your Pro subscription?' });
    await button('Cancel subscription').click();
    await question.getByText(/^Pro lasts until \w+ \d+, 20\d\d and does not renew\./).waitFor();
    expect(await findDefects(page)).toEqual([]);
    await question.getByRole('button', { name: 'Keep Pro' }).click();
    await page.getByText(/^Pro is paid for until/).waitFor();
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
    await page.getByText(/^Pro is paid for until/).waitFor();
  });

  test('a failed payment is told; an ended subscription leaves what there is; no way leads up from the top', async () => {
    const [subscription] = peer.subscriptions;
    if (subscription === undefined) throw new Error('Nothing was paid');
    peer.change(subscription.id, { status: 'past_due' }, 'invoice.payment_failed');
    await expect.poll(() => open().then(() => page.getByText('The last payment failed').count())).toBe(1);
    peer.change(subscription.id, { status: 'canceled' }, 'customer.subscription.deleted');
    await expect.poll(() => open().then(() => button('Upgrade to Plus').count())).toBe(1);
    // What an admin gives meanwhile, this page does not know of.
    expect(await runSql(product, "update users set plan = 'pro'")).toBe('UPDATE 1');
    await button('Upgrade to Pro').click();
    await alert('Unable to determine upgrade path').waitFor();
    await runSql(product, "update users set plan = 'free'");
  });

  test('limits elsewhere lead to the plans', async () => {
    await page.goto(`${product.baseUrl}/app/security/analytics`);
    await page.getByText('Plus plan required for security analytics').waitFor();
    await page.getByRole('link', { name: 'See the plans' }).click();
    await page.getByRole('heading', { name: 'Subscription', level: 1 }).waitFor();
    await card('Plus').waitFor();
  });
});
