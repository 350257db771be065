// The operator's view, tab Operations of `/app/admin`: an invitation admits the first account, its
// owner is made an admin on the machine and manages the queue, jobs, storage, domains and codes.
// Includes the error texts.
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
  /** Makes the next request to a path fail with a server error. */
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

  test('sign-up requires an invitation code, typed into the form or supplied by a link', async () => {
    const [code = ''] = admin('invitation', 'add', '1', '7', 'The first one').split('\n');
    await page.goto(`${product.baseUrl}/app/signup`);
    await page.getByText('You need an invitation code to create an account here.').waitFor();
    await expect.poll(() => page.locator('option').allTextContents()).toEqual(['@keyfold.test']);
    await field('Name').fill('Alice Almeida');
    await field('Address').fill('alice');
    await field('Password').fill(password);
    await button('Continue').click();
    await page.getByText('Enter your invitation code').waitFor();
    await field('Invitation code').fill('AAAA-AAAA-AAAA-AAAA');
    await button('Continue').click();
    await page.getByText('This invitation code is invalid, expired or already used').waitFor();
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

  test('the queue is empty at first, then shows the domain and reason of waiting mail but no address', async () => {
    await openTab();
    await section('Outgoing queue').getByText('The queue is empty', { exact: true }).waitFor();
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

  test('the queue can be filtered by domain and state', async () => {
    const list = page.getByRole('table', { name: 'Queued recipients' }).getByRole('row');
    await expect.poll(() => list.count()).toBe(4);
    await button('Show only elsewhere.test').click();
    await expect.poll(() => list.count()).toBe(2);
    await button('Show all domains').click();
    await expect.poll(() => list.count()).toBe(4);
    await choose(page.getByRole('combobox', { name: 'State' }), 'Waiting');
    await page.getByText('No recipients match this filter.').waitFor();
    await choose(page.getByRole('combobox', { name: 'State' }), 'All states');
    await expect.poll(() => list.count()).toBe(4);
  });

  test('queued mail can be delivered immediately, and a failure to start is reported', async () => {
    await failOnce('/admin/standard/deliver_now');
    await button('Deliver now: elsewhere.test').first().click();
    await toastWith(page, 'Couldn’t start delivery: Something failed').waitFor();
    sink.refuseRecipient = address => (address.startsWith('erna') ? null : [451, '4.7.1 Not now']);
    await button('Deliver now: elsewhere.test').first().click();
    await toastWith(page, 'Started delivery to 1 recipient').waitFor();
    await expect.poll(() => sink.messages.flatMap(({ to }) => to)).toEqual(['erna@elsewhere.test']);
    await expect
      .poll(async () => {
        await button('Refresh').click();
        return page.getByText('elsewhere.test').count();
      })
      .toBe(0);
  });

  test('dropping mail asks for confirmation and notifies its sender', async () => {
    await button('Drop: outside.test').first().click();
    await page.getByRole('alertdialog').getByText('Drop mail to 2 recipients at outside.test?').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await button('Cancel').click();
    await failOnce('/admin/super/drop_mail', 404, 'not_found', 'Not found');
    await button('Drop: outside.test').first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Drop' }).click();
    await toastWith(page, 'Couldn’t drop the mail: It no longer exists').waitFor();
    await button('Drop: outside.test').first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Drop' }).click();
    await toastWith(page, 'Dropped mail to 2 recipients').waitFor();
    await section('Outgoing queue').getByText('The queue is empty', { exact: true }).waitFor();
    await openFolder(page, product.baseUrl, 'recieved');
    await openMail(page, 'Undelivered mail returned to sender');
    await page.locator('summary', { hasText: 'Details' }).click();
    await page.getByText('The operator of this service canceled the delivery').last().waitFor();
  });

  test('the tab shows jobs, storage, domains and versions', async () => {
    await openTab();
    await row('purge-deleted-mail').waitFor();
    await row('Messages and attachments').waitFor();
    await row('keyfold.test').getByText('Service domain').waitFor();
    await row('closed.test').waitFor();
    await section('Versions').getByText(process.versions.node).waitFor();
  });

  test('a section that fails to load says so and loads on retry', async () => {
    const parts = [
      ['/admin/readonly/queue', 'Couldn’t load the queue'],
      ['/admin/readonly/jobs', 'Couldn’t load the jobs'],
      ['/admin/readonly/storage', 'Couldn’t load storage details'],
      ['/admin/readonly/domains', 'Couldn’t load the domains'],
      ['/admin/readonly/signup_codes', 'Couldn’t load the codes'],
      ['/admin/readonly/versions', 'Couldn’t load the versions'],
    ] as const;
    const isOne = (url: URL) => parts.some(([path]) => path === url.pathname);
    await page.route(isOne, route =>
      route.fulfill({
        status: 403,
        json: { success: false, code: 'forbidden', message: 'You don’t have permission to do this' },
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

  test('invitations are created, shown once and deleted, and affiliates are counted', async () => {
    const codes = section('New accounts');
    await codes.getByText('An invitation code is required to create an account at keyfold.test.').waitFor();
    await row('The first one').getByText('0 of 1').waitFor();
    await row('The Saturday show').getByText('0', { exact: true }).waitFor();
    await button('New invitation').click();
    await field('Accounts').fill('0');
    await field('Valid for (days)').fill('many');
    await button('Create invitation code').click();
    await page.getByText('Enter a whole number from 1 to 10,000').waitFor();
    await page.getByText('Enter a whole number from 1 to 366').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await field('Accounts').fill('3');
    await field('Valid for (days)').fill('');
    await field('Note').fill('The choir');
    await failOnce('/admin/standard/create_invitation');
    await button('Create invitation code').click();
    await page.getByText('Couldn’t create the invitation: Something failed').waitFor();
    await button('Create invitation code').click();
    const made = page.getByRole('dialog', { name: 'Invitation created' });
    await made.getByText(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/).waitFor();
    await made.getByText(/\/app\/signup#code=/).waitFor();
    await made.getByRole('button', { name: 'Done' }).click();
    await row('The choir').getByText('3 of 3').waitFor();
    await row('The choir').getByText('No expiry').waitFor();
    await failOnce('/admin/standard/remove_invitation');
    await row('The choir').getByRole('button').click();
    await toastWith(page, 'Couldn’t delete the invitation: Something failed').waitFor();
    await row('The choir').getByRole('button').click();
    await toastWith(page, 'Invitation deleted').waitFor();
    await row('The choir').waitFor({ state: 'detached' });
  });

  test('certificates are hidden without ACME; with it, the section says what each name lacks', async () => {
    await openTab();
    expect(await section('Certificates').count()).toBe(0);
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const certificates = [
      {
        name: 'mail.keyfold.test',
        state: 'renewal_failing',
        ends_at: at(20),
        next_try_at: at(1),
        problem: 'refused',
        detail: 'Fetching http://mail.keyfold.test/: Timeout during connect (likely firewall problem)',
      },
      {
        name: 'mx.keyfold.test',
        state: 'valid',
        ends_at: at(80),
        next_try_at: at(50),
        problem: null,
        detail: null,
      },
      {
        name: 'mta-sts.garden.test',
        state: 'waiting',
        ends_at: null,
        next_try_at: at(0.04),
        problem: 'not_pointing',
        detail: null,
      },
    ];
    // An authority is part of the server's own tests (certificates.test.ts).
    await page.route('**/admin/readonly/certificates*', route =>
      route.fulfill({ json: { success: true, data: { enabled: true, certificates, has_more: false } } }),
    );
    await page.route('**/admin/standard/renew_certificate', route =>
      route.fulfill({ json: { success: true, data: { name: 'mail.keyfold.test', renewed: true } } }),
    );
    await openTab();
    const shown = section('Certificates');
    await shown.getByText('Make sure that port 80 is reachable from outside.').waitFor();
    await shown.getByText('Timeout during connect').waitFor();
    await row('mta-sts.garden.test').getByText('Waiting').waitFor();
    await row('mx.keyfold.test').getByText('Valid').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await button('Renew now: mail.keyfold.test').click();
    await toastWith(page, 'Certificate renewed: mail.keyfold.test').waitFor();
    await page.unrouteAll();
  });

  test('on a phone in dark mode, rows become cards and nothing overflows', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('list', { name: 'Jobs' }).waitFor();
    await page.getByRole('list', { name: 'Notifications' }).getByText('UnifiedPush').waitFor();
    // Color transitions take a moment.
    await expect.poll(() => findDefects(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('a read-only admin is offered no actions', async () => {
    // The last super admin cannot be removed, so another one is added first.
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
