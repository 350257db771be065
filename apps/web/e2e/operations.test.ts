// The operator's view, tab Operations of `/app/admin`: an invitation lets the first account in, its owner is made an admin on
// the machine, and looks after the queue, jobs, storage, domains and codes, with what is said when something fails.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import type { Product } from '@keyfold/testing/product';
import { type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { openFolder, toastWith } from './support/mailbox.ts';
import { addRecipient, leaveKit, openMail, password, startDraft } from './support/people.ts';
import { startProduct } from './support/story.ts';

describe.skipIf(chromiumPath === null)('the operator’s view (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let sink: SmtpSink;
  let alice: Person;
  let page: Page;

  const admin = (...args: string[]): string => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'apps/server/src/admin.ts', ...args],
      { env: { PATH: process.env.PATH, KEYFOLD_DATA: product.dataDir }, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const section = (name: string) => page.getByRole('region', { name, exact: true });
  const row = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text });
  const openTab = async () => {
    await page.goto(`${product.baseUrl}/app/admin`);
    await page.getByRole('tab', { name: 'Operations' }).click();
    await section('Versions').getByText('PostgreSQL').waitFor();
  };
  /** Answers the next call of a path with a failure of the server's. */
  const failOnce = (path: string, status = 500, code = 'failed', message = 'Something failed') =>
    page.route(
      url => url.pathname === path,
      (route: Route) => route.fulfill({ status, json: { success: false, code, message } }),
      { times: 1 },
    );

  beforeAll(async () => {
    sink = await startSmtpSink();
    sink.refuseRecipient = () => [451, '4.7.1 Not now, greylisted'];
    ({ product, browser } = await startProduct({
      SMTP_RELAY: `smtp://127.0.0.1:${sink.port}`,
      KEYFOLD_DOMAINS: 'keyfold.test,closed.test',
      KEYFOLD_SIGNUP_DOMAINS: 'keyfold.test',
      KEYFOLD_SIGNUP: 'invitation',
    }));
    alice = await openPerson(browser);
    ({ page } = alice);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    await sink?.close();
  });

  test('a new account takes an invitation, which the form asks for and a link brings along', async () => {
    const [code = ''] = admin('invitation', 'add', '1', '7', 'The first one').split('\n');
    await page.goto(`${product.baseUrl}/app/signup`);
    await page.getByText('New accounts are made by invitation here.').waitFor();
    await expect.poll(() => page.locator('option').allTextContents()).toEqual(['@keyfold.test']);
    await field('Name').fill('Alice Almeida');
    await field('Address').fill('alice');
    await field('Password').fill(password);
    await button('Continue').click();
    await page.getByText('Enter your invitation code').waitFor();
    await field('Invitation code').fill('AAAA-AAAA-AAAA-AAAA');
    await button('Continue').click();
    await page.getByText('This invitation code was used up, has expired, or never was').waitFor();
    expect(await field('Name').inputValue()).toBe('Alice Almeida');
    expect(await findDefects(page)).toEqual([]);
    await page.goto('about:blank');
    await page.goto(`${product.baseUrl}/app/signup#code=${code}`);
    await expect.poll(() => field('Invitation code').inputValue()).toBe(code);
    await field('Name').fill('Alice Almeida');
    await field('Address').fill('alice');
    await field('Password').fill(password);
    await button('Continue').click();
    await leaveKit(page);
    admin('grant', 'super', 'alice@keyfold.test');
    admin('affiliate', 'add', 'podcast', 'The Saturday show');
  });

  test('the queue is empty, then shows where mail waits and why, and no address', async () => {
    await openTab();
    await section('Outgoing queue').getByText('Nothing waits', { exact: true }).waitFor();
    await page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await startDraft(page, 'olga@outside.test', 'plain');
    await addRecipient(page, 'oskar@outside.test', 'plain');
    await addRecipient(page, 'erna@elsewhere.test', 'plain');
    await field('Subject').fill('Private matter');
    await field('Message').fill('Nobody else’s business');
    await page.getByRole('button', { name: /^Send/ }).first().click();
    await toastWith(page, 'Sent').waitFor();
    await openTab();
    await expect
      .poll(async () => {
        await button('Refresh').click();
        return section('Outgoing queue').getByText('451 · 4.7.1 · Policy or security').count();
      })
      .toBe(3);
    const words = await section('Outgoing queue').innerText();
    expect(words).toContain('outside.test');
    for (const secret of ['olga', 'oskar', 'erna', 'alice', 'Private', 'greylisted'])
      expect(words).not.toContain(secret);
    expect(await findDefects(page)).toEqual([]);
  });

  test('the list is narrowed by domain and state', async () => {
    const list = page.getByRole('table', { name: 'Waiting recipients' }).getByRole('row');
    await expect.poll(() => list.count()).toBe(4);
    await button('Show only elsewhere.test').click();
    await expect.poll(() => list.count()).toBe(2);
    await button('Show all domains').click();
    await expect.poll(() => list.count()).toBe(4);
    await choose(page.getByRole('combobox', { name: 'State' }), 'Waiting');
    await page.getByText('None of these waits.').waitFor();
    await choose(page.getByRole('combobox', { name: 'State' }), 'All states');
    await expect.poll(() => list.count()).toBe(4);
  });

  test('mail is tried at once, and a failure is told', async () => {
    await failOnce('/admin/standard/deliver_now');
    await button('Deliver now: elsewhere.test').first().click();
    await toastWith(page, 'Failed to deliver now: Something failed').waitFor();
    sink.refuseRecipient = address => (address.startsWith('erna') ? null : [451, '4.7.1 Not now']);
    await button('Deliver now: elsewhere.test').first().click();
    await toastWith(page, '1 recipient is tried now').waitFor();
    await expect.poll(() => sink.messages.flatMap(({ to }) => to)).toEqual(['erna@elsewhere.test']);
    await expect
      .poll(async () => {
        await button('Refresh').click();
        return page.getByText('elsewhere.test').count();
      })
      .toBe(0);
  });

  test('mail is dropped after a question, and its sender is told', async () => {
    await button('Drop: outside.test').first().click();
    await page.getByRole('alertdialog').getByText('Drop 2 recipients at outside.test?').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await button('Cancel').click();
    await failOnce('/admin/super/drop_mail', 404, 'not_found', 'Not found');
    await button('Drop: outside.test').first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Drop' }).click();
    await toastWith(page, 'Failed to drop: it is not there any more').waitFor();
    await button('Drop: outside.test').first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Drop' }).click();
    await toastWith(page, '2 recipients were dropped').waitFor();
    await section('Outgoing queue').getByText('Nothing waits', { exact: true }).waitFor();
    await openFolder(page, product.baseUrl, 'recieved');
    await openMail(page, 'Undelivered mail returned to sender');
    await page.locator('summary', { hasText: 'Details' }).click();
    await page.getByText('The operator of this service cancelled the delivery').last().waitFor();
  });

  test('jobs, storage, domains and versions are told', async () => {
    await openTab();
    await row('purge-deleted-mail').waitFor();
    await row('Files of mail').waitFor();
    await row('keyfold.test').getByText('Of this service').waitFor();
    await row('closed.test').waitFor();
    await section('Versions').getByText(process.versions.node).waitFor();
  });

  test('what does not come is said, and comes when asked again', async () => {
    const parts = [
      ['/admin/readonly/queue', 'The queue could not be loaded'],
      ['/admin/readonly/jobs', 'The jobs could not be loaded'],
      ['/admin/readonly/storage', 'The storage could not be loaded'],
      ['/admin/readonly/domains', 'The domains could not be loaded'],
      ['/admin/readonly/signup_codes', 'The codes could not be loaded'],
      ['/admin/readonly/versions', 'The versions could not be loaded'],
    ] as const;
    const isOne = (url: URL) => parts.some(([path]) => path === url.pathname);
    await page.route(isOne, route =>
      route.fulfill({
        status: 403,
        json: { success: false, code: 'forbidden', message: 'You are not allowed to do this' },
      }),
    );
    await page.goto(`${product.baseUrl}/app/admin`);
    await page.getByRole('tab', { name: 'Operations' }).click();
    for (const [, words] of parts) await page.getByRole('heading', { name: words }).waitFor();
    await page.unroute(isOne);
    for (const [, words] of parts) {
      await page.getByRole('alert').filter({ hasText: words }).getByRole('button').click();
      await page.getByRole('heading', { name: words }).waitFor({ state: 'detached' });
    }
  });

  test('invitations are made, shown once, and ended; affiliates are counted', async () => {
    const codes = section('New accounts');
    await codes.getByText('An invitation code is needed for a new account at keyfold.test.').waitFor();
    await row('The first one').getByText('0 of 1').waitFor();
    await row('The Saturday show').getByText('0', { exact: true }).waitFor();
    await button('New invitation').click();
    await field('Accounts').fill('0');
    await field('Days').fill('many');
    await button('Make code').click();
    await page.getByText('A whole number from 1 to 10,000').waitFor();
    await page.getByText('A whole number from 1 to 366').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await field('Accounts').fill('3');
    await field('Days').fill('');
    await field('Note').fill('The choir');
    await failOnce('/admin/standard/create_invitation');
    await button('Make code').click();
    await page.getByText('Failed to make the invitation: Something failed').waitFor();
    await button('Make code').click();
    const made = page.getByRole('dialog', { name: 'Invitation made' });
    await made.getByText(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/).waitFor();
    await made.getByText(/\/app\/signup#code=/).waitFor();
    await made.getByRole('button', { name: 'Done' }).click();
    await row('The choir').getByText('3 of 3').waitFor();
    await row('The choir').getByText('For ever').waitFor();
    await failOnce('/admin/standard/remove_invitation');
    await row('The choir').getByRole('button').click();
    await toastWith(page, 'Failed to end the invitation: Something failed').waitFor();
    await row('The choir').getByRole('button').click();
    await toastWith(page, 'The invitation has ended').waitFor();
    await row('The choir').waitFor({ state: 'detached' });
  });

  test('on a phone, in the dark, rows are cards and nothing runs over', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('list', { name: 'Jobs' }).waitFor();
    await page.getByRole('list', { name: 'Notifications' }).getByText('UnifiedPush').waitFor();
    // Colours take a moment to change.
    await expect.poll(() => findDefects(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('who may only look is offered nothing to do', async () => {
    // The last super admin stays, so another one comes first.
    const [code = ''] = admin('invitation', 'add', '1', '7', 'The second one').split('\n');
    const ben = await openPerson(browser);
    await join(ben, product.baseUrl, 'Ben Baker', 'ben', code);
    await ben.context.close();
    admin('grant', 'super', 'ben@keyfold.test');
    admin('grant', 'readonly', 'alice@keyfold.test');
    await openTab();
    await section('New accounts').getByText('The Saturday show').waitFor();
    expect(await page.getByRole('button', { name: /^(Deliver now|Drop|End|New invitation)/ }).count()).toBe(
      0,
    );
  });
});
