// The admin dashboard (docs/spec-map.md 2, 4, 5, 8, 9): access control, the statistics, the user
// list with search, filters and pages, every action with its texts, and the audit log. Refusals by
// the server are mocked at the route; everything else is the real product.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { useStory } from './support/story.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const [alice, bobby] = ['alice@keyfold.test', 'bobby@keyfold.test'];

const madeUp = (index: number) => ({
  id: `made-up-${index}`,
  name: `Person ${index}`,
  email: `person${index}@keyfold.test`,
  status: index === 3 ? 'pending' : 'active',
  plan: 'free',
  is_admin: false,
  admin_level: null,
  used_space: index * 107_374_182,
  sent_emails: index,
  domain_count: 0,
  created_at: '2026-11-01T00:00:00.000Z',
  last_active_at: null,
});

describe.skipIf(chromiumPath === null)('the admin console (needs Chromium)', () => {
  const story = useStory();
  let page: Page;
  let bob: Person;

  const setLevel = (...command: string[]) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'apps/server/src/admin.ts', ...command],
      { cwd: root, encoding: 'utf8', env: { ...process.env, KEYFOLD_DATA: story.product.dataDir } },
    );
    expect(status, stderr).toBe(0);
  };

  beforeAll(async () => {
    page = story.page;
    bob = await openPerson(story.browser);
    await join(bob, story.product.baseUrl, 'Bobby Brandt', 'bobby');
  });
  afterAll(() => bob?.context.close());

  const go = () => page.goto(`${story.product.baseUrl}/app/admin`);
  const toast = (text: string) =>
    page.getByRole('region', { name: 'Notifications' }).getByText(text, { exact: true }).first().waitFor();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const tab = (name: string) => page.getByRole('tab', { name }).click();
  const dialog = () => page.getByRole('dialog', { name: 'Manage User' });
  const status = () => page.getByRole('status').filter({ hasText: 'in total' });
  const rows = () => page.getByRole('table', { name: 'Users' }).locator('tbody tr');
  const rowOf = (email: string) => rows().filter({ hasText: email });
  const open = async (email: string) => {
    await rowOf(email).getByRole('button').click();
    await dialog().waitFor();
  };
  const gone = () => dialog().waitFor({ state: 'detached' });
  /** Mocks one endpoint while `work` runs. */
  const answering = async (
    path: string,
    answer: { status: number; json?: object; headers?: Record<string, string> } | null,
    work: () => Promise<void>,
  ) => {
    const url = `**${path}*`;
    await page.route(url, route => (answer === null ? route.abort() : route.fulfill(answer)));
    try {
      await work();
    } finally {
      await page.unroute(url);
    }
  };
  const refusal = (code: string, message: string) => ({ success: false, code, message });
  const failed = { status: 500, json: refusal('failed', 'Something failed') };
  const forbidden = { status: 403, json: refusal('forbidden', 'You don’t have permission to do this') };
  const limited = {
    status: 429,
    json: refusal('rate_limited', 'Rate limited. Please try again later.'),
    headers: { 'retry-after': '40' },
  };

  test('a user without an admin level sees that access is denied, and no admin data is requested', async () => {
    const asked: string[] = [];
    page.on('request', request => {
      if (new URL(request.url()).pathname.startsWith('/admin/')) asked.push(request.url());
    });
    await go();
    await page.getByRole('heading', { name: 'You don’t have access' }).waitFor();
    expect(await findDefects(page)).toEqual([]);
    await button('Back to Inbox').click();
    await page.waitForURL('**/app/inbox/**');
    expect(asked).toEqual([]);
  });

  test('an admin opens the console from the account menu and sees its figures', async () => {
    setLevel('grant', 'super', alice);
    await page.reload();
    await page.getByRole('button', { name: `Account: ${alice}` }).click();
    await page.getByRole('menuitem', { name: 'Admin Dashboard' }).click();
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
    await page.getByText('super', { exact: true }).waitFor();
    const card = (name: string) => page.locator('dl > div').filter({ hasText: name }).first();
    await expect.poll(() => card('Total Users').textContent()).toBe('Total Users2');
    for (const [name, value] of [
      ['Active Users', '2100% of total'],
      ['New Users', '2this month'],
      ['Churn Rate', '0%30+ days inactive'],
      ['Total Emails', '0'],
      ['Emails This Month', '0'],
      ['Total Domains', '0'],
      ['Active Domains', '00% of total'],
    ] as const)
      await expect.poll(() => card(name).textContent()).toBe(`${name}${value}`);
    for (const plan of ['Free', 'Plus', 'Pro', 'Enterprise'])
      await page.getByRole('progressbar', { name: `Users on ${plan}` }).waitFor();
    expect(await findDefects(page)).toEqual([]);
    await page.getByRole('switch', { name: 'Debug' }).click();
    await page.getByText(/^GET (?:stats|users) 200$/).waitFor();
    await button('Refresh').click();
    await expect.poll(() => button('Refresh').getAttribute('aria-busy')).toBeNull();
    await page.getByRole('switch', { name: 'Debug' }).click();
    await button('Close').click();
    await page.waitForURL('**/app/inbox/**');
  });

  test('pending requests show a loading state, and the search names its scope', async () => {
    let letGo = () => {};
    const held = new Promise<void>(resolve => {
      letGo = resolve;
    });
    await page.route('**/admin/readonly/**', route => held.then(() => route.continue()));
    await go();
    await page.getByText('Loading admin dashboard...').waitFor();
    await tab('User Management');
    await page.getByText('Loading users...').waitFor();
    await page.getByPlaceholder('Search users by name, email...').waitFor();
    letGo();
    await rowOf(alice).waitFor();
    await page.unroute('**/admin/readonly/**');
  });

  test('unavailable figures are shown as dashes, and a toast gives the reason', async () => {
    await go();
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
    const path = '/admin/readonly/stats';
    await answering(path, failed, async () => {
      await go();
      await toast('Failed to load admin statistics');
      await expect.poll(() => page.locator('dl > div').first().textContent()).toBe('Total Users-');
    });
    await answering(path, forbidden, async () => {
      await go();
      await toast('Insufficient permissions to view admin statistics');
    });
    await answering(path, limited, async () => {
      await go();
      await toast('Rate limited. Try again in 40 seconds.');
    });
    const csrf = {
      status: 403,
      json: refusal('csrf_refused', 'CSRF token validation failed. Please try again.'),
    };
    await answering(path, csrf, async () => {
      let tokens = 0;
      page.on('request', request => {
        if (request.url().endsWith('/csrf/token')) tokens += 1;
      });
      await go();
      await toast('Failed to load admin statistics: CSRF token validation failed. Please try again.');
      expect(tokens).toBe(4);
    });
    await answering('/csrf/token', failed, async () => {
      await go();
      await toast('Failed to load admin statistics: Failed to get CSRF token');
    });
    await answering('/csrf/token', { status: 200, json: { success: true } }, async () => {
      await go();
      await toast('Failed to load admin statistics: Invalid CSRF token response');
    });
  });

  test('the user list is searched after a pause, can be filtered and cleared, and reports failures', async () => {
    await go();
    await tab('User Management');
    await expect
      .poll(() => status().textContent())
      .toBe('2 of 2 users on this page match. 2 users in total.');
    await rowOf(alice).getByText('Admin', { exact: true }).waitFor();
    const asked: string[] = [];
    page.on('request', request => {
      const url = new URL(request.url());
      if (url.pathname === '/admin/readonly/users') asked.push(url.searchParams.get('search') ?? '');
    });
    await page.getByRole('searchbox').pressSequentially('BOBBY', { delay: 20 });
    await expect.poll(() => status().textContent()).toContain('1 user in total');
    expect(asked).toEqual(['BOBBY']);
    // Until the response arrives, the page must not claim that there is no such user.
    let letGo = () => {};
    const held = new Promise<void>(resolve => {
      letGo = resolve;
    });
    await page.route('**/admin/readonly/users*', route => held.then(() => route.continue()));
    await page.getByRole('searchbox').fill('nobody of that name');
    await expect.poll(() => asked.at(-1)).toBe('nobody of that name');
    expect(await page.getByRole('heading', { name: 'No users found' }).count()).toBe(0);
    letGo();
    await page.getByRole('heading', { name: 'No users found' }).waitFor();
    await page.unroute('**/admin/readonly/users*');
    await page.getByRole('button', { name: 'Clear All' }).click();
    await rowOf(bobby).waitFor();
    await button('Filters').click();
    const filters = page.getByRole('region', { name: 'Filters' });
    for (const [label, option, count] of [
      ['Admin status', 'Admins', 1],
      ['Plan', 'Pro', 0],
      ['Status', 'Suspended', 0],
      ['Storage level', 'Low (below 25%)', 0],
    ] as const) {
      await choose(filters.getByRole('combobox', { name: label, exact: true }), option);
      await expect.poll(() => status().textContent()).toContain(`${count} of 2 users`);
    }
    await page.getByRole('button', { name: 'Filters 4' }).waitFor();
    expect(await findDefects(page)).toEqual([]);
    await filters.getByRole('button', { name: 'Clear All' }).click();
    await expect.poll(() => status().textContent()).toContain('2 of 2 users');
    await answering('/admin/readonly/users', failed, async () => {
      await page.getByRole('searchbox').fill('other');
      await toast('Failed to load users');
      await page.getByRole('heading', { name: 'Failed to load users' }).waitFor();
    });
    await button('Try again').click();
    await page.getByRole('heading', { name: 'No users found' }).waitFor();
    await answering('/admin/readonly/users', forbidden, async () => {
      await page.getByRole('searchbox').fill('another');
      await toast('Insufficient permissions to view user list');
    });
  });

  test('pagination shows at most five page numbers, bars have colors, and other states show a warning', async () => {
    const users = Array.from({ length: 50 }, (_, index) => madeUp(index));
    const answer = { status: 200, json: { success: true, data: { users, total_count: 1_284 } } };
    await answering('/admin/readonly/users', answer, async () => {
      await go();
      await tab('User Management');
      await expect
        .poll(() => status().textContent())
        .toBe('50 of 50 users on this page match. 1,284 users in total.');
      const numbers = () =>
        page
          .getByRole('navigation', { name: 'Pages' })
          .getByRole('button', { name: /^Page/ })
          .allTextContents();
      await expect.poll(numbers).toEqual(['1', '2', '3', '4', '5']);
      await button('Page 5').click();
      await expect.poll(numbers).toEqual(['3', '4', '5', '6', '7']);
      await button('Next page').click();
      await expect.poll(numbers).toEqual(['4', '5', '6', '7', '8']);
      await button('Previous page').click();
      await page.getByRole('searchbox').fill('person');
      await expect.poll(() => button('Page 1').getAttribute('aria-current')).toBe('page');
      await rowOf('person3@').getByText('pending').waitFor();
      await rowOf('person3@').getByText('Never').waitFor();
      const fill = (email: string) => rowOf(email).locator('rect').getAttribute('class');
      expect(await fill('person37@')).toContain('fill-accent');
      expect(await fill('person38@')).toContain('fill-warn-solid');
      expect(await fill('person46@')).toContain('fill-danger-solid');
    });
  });

  test('churn and sent mail are computed from the users when the statistics lack them', async () => {
    const stats = {
      total_users: 8,
      active_users: 7,
      churned_users: 1,
      new_users_this_month: 0,
      churn_rate: 0,
      storage_used: 8 * 1_048_576,
      total_emails_sent: 0,
      emails_sent_this_month: 0,
      total_domains: 0,
      active_domains: 0,
      users_by_plan: { free: 8 },
    };
    const users = Array.from({ length: 8 }, (_, index) => madeUp(index));
    const listed = { status: 200, json: { success: true, data: { users, total_count: 8 } } };
    await answering('/admin/readonly/users', listed, () =>
      answering('/admin/readonly/stats', { status: 200, json: { success: true, data: stats } }, async () => {
        await go();
        const card = (name: string) => page.locator('dl > div').filter({ hasText: name }).first();
        await expect.poll(() => card('Total Emails').textContent()).toBe('Total Emails28');
        expect(await card('Churn Rate').textContent()).toContain('12.5%');
        expect(await card('Churn Rate').textContent()).toContain('high');
        expect(await card('Emails per User').textContent()).toBe('Emails per User3.5');
        expect(await card('Total Storage').textContent()).toBe('Total Storage8.00 MB');
      }),
    );
  });

  describe('with many users', () => {
    const everybody = Array.from({ length: 120 }, (_, index) => madeUp(index));
    const asked: string[] = [];
    beforeAll(async () => {
      await page.route('**/admin/readonly/users*', route => {
        const query = new URL(route.request().url()).searchParams;
        asked.push(`${query}`);
        const [search, storage] = [query.get('search') ?? '', query.get('storage') ?? 'all'];
        const found = everybody.filter(
          ({ name, used_space }) =>
            name.toLowerCase().includes(search) && (storage !== 'high' || used_space > 0.75 * 5_368_709_120),
        );
        const from = (Number(query.get('page')) - 1) * 50;
        const data = { users: found.slice(from, from + 50), total_count: found.length };
        return route.fulfill({ status: 200, json: { success: true, data } });
      });
    });
    afterAll(() => page.unroute('**/admin/readonly/users*'));

    test('a new page starts at its top, a search there sends one request, and the URL keeps the state', async () => {
      await go();
      await tab('User Management');
      await button('Next page').click();
      await rowOf('person50@').waitFor();
      await expect.poll(() => page.getByRole('searchbox').isVisible()).toBe(true);
      const box = await page.getByRole('searchbox').boundingBox();
      expect(box?.y).toBeGreaterThan(0);
      expect(new URL(page.url()).search).toBe('?tab=users&page=2');
      asked.length = 0;
      await page.getByRole('searchbox').fill('person 1');
      await expect.poll(() => status().textContent()).toContain('31 users in total');
      expect(asked).toHaveLength(1);
      expect(new URLSearchParams(asked[0]).get('page')).toBe('1');
      expect(new URL(page.url()).search).toBe('?tab=users');
      expect(new URL(page.url()).hash).toBe('#q=person%201');
      await page.reload();
      await expect.poll(() => status().textContent()).toContain('31 users in total');
      expect(await page.getByRole('searchbox').inputValue()).toBe('person 1');
      await page.getByRole('searchbox').fill('');
      await expect.poll(() => status().textContent()).toContain('120 users in total');
      await button('Page 3').click();
      await rowOf('person119@').waitFor();
      await page.reload();
      await rowOf('person119@').waitFor();
      await page.goBack();
      await rowOf('person0@').waitFor();
      await tab('Audit log');
      expect(new URL(page.url()).search).toBe('?tab=audit');
      await page.reload();
      await expect
        .poll(() => page.getByRole('tab', { name: 'Audit log' }).getAttribute('aria-selected'))
        .toBe('true');
    });

    test('filters apply to the page first and optionally to all users', async () => {
      await go();
      await tab('User Management');
      await button('Filters').click();
      const filters = page.getByRole('region', { name: 'Filters' });
      await choose(filters.getByRole('combobox', { name: 'Storage level' }), 'High (above 75%)');
      await expect
        .poll(() => status().textContent())
        .toBe('12 of 50 users on this page match. 120 users in total.');
      expect(await findDefects(page)).toEqual([]);
      await button('Filter all users').click();
      const ofAll = page.getByText('82 users match in total.');
      await ofAll.waitFor();
      await expect.poll(() => rows().count()).toBe(50);
      await button('Next page').click();
      await expect.poll(() => rows().count()).toBe(32);
      await page.reload();
      await ofAll.waitFor();
      await expect.poll(() => rows().count()).toBe(32);
      expect(await findDefects(page)).toEqual([]);
      await button('Filter this page only').click();
      await expect.poll(() => status().textContent()).toContain('12 of 50 users on this page match.');
      await page.getByRole('region', { name: 'Filters' }).getByRole('button', { name: 'Clear All' }).click();
      await expect.poll(() => status().textContent()).toContain('50 of 50 users');
      expect(new URL(page.url()).search).toBe('?tab=users');
    });
  });

  test('an admin level is granted and revoked with the wording of the specification', async () => {
    await go();
    await tab('User Management');
    await open(bobby);
    expect(await findDefects(page)).toEqual([]);
    await answering('/admin/super/grant_admin', limited, async () => {
      await dialog().getByRole('button', { name: 'Grant admin role' }).click();
      await toast('Failed to grant admin role: Rate limited. Please try again later.');
    });
    await answering('/admin/super/grant_admin', null, async () => {
      await dialog().getByRole('button', { name: 'Grant admin role' }).click();
      await toast('Failed to grant admin role: Failed to connect to the server');
    });
    await choose(dialog().getByRole('combobox', { name: 'Admin level' }), 'standard');
    await dialog().getByRole('button', { name: 'Grant admin role' }).click();
    await toast(`Successfully granted standard admin role to ${bobby}`);
    await gone();
    await rowOf(bobby).getByText('Admin', { exact: true }).waitFor();
    await open(bobby);
    await dialog().getByText('Admins can’t be suspended. Revoke the admin role first.').waitFor();
    const question = (email: string) =>
      page.getByRole('alertdialog', { name: `Revoke admin role from ${email}?` });
    const revoke = (email: string) => question(email).getByRole('button', { name: 'Revoke', exact: true });
    await dialog().getByRole('button', { name: 'Revoke admin role' }).click();
    expect(await findDefects(page)).toEqual([]);
    await question(bobby).getByRole('button', { name: 'Cancel' }).click();
    await question(bobby).waitFor({ state: 'detached' });
    await dialog().getByRole('button', { name: 'Revoke admin role' }).click();
    await answering('/admin/super/revoke_admin', forbidden, async () => {
      await revoke(bobby).click();
      await toast('Failed to revoke admin role: Insufficient permissions to revoke admin roles');
    });
    await revoke(bobby).click();
    await toast(`Successfully revoked admin role from ${bobby}`);
    await gone();
    await rowOf(bobby).getByText('Admin', { exact: true }).waitFor({ state: 'detached' });
    await open(alice);
    await dialog().getByText('You can’t suspend your own account').waitFor();
    await dialog().getByRole('button', { name: 'Revoke admin role' }).click();
    await revoke(alice).click();
    await toast('Failed to revoke admin role: You can’t change the last super admin');
    await question(alice).getByRole('button', { name: 'Cancel' }).click();
    await dialog().getByRole('button', { name: 'Close' }).click();
  });

  test('a plan can be set', async () => {
    await open(bobby);
    await choose(dialog().getByRole('combobox', { name: 'Plan' }), 'Pro');
    await answering('/admin/set-plan', failed, async () => {
      await dialog().getByRole('button', { name: 'Set plan' }).click();
      await toast('Failed to set plan');
    });
    await dialog().getByRole('button', { name: 'Set plan' }).click();
    await toast(`Successfully set the plan of ${bobby} to Pro`);
    await rowOf(bobby).getByText('Pro', { exact: true }).waitFor();
  });

  test('held mail shows its start and reason and is released after a confirmation', async () => {
    const hold = {
      reason: 'strangers',
      since: '2026-11-23T10:00:00.000Z',
      until: '2026-11-23T11:00:00.000Z',
      waiting: 51,
      before: { strangers: 51, tried: 60, refused: 2, suspicious: 0, complaints: 1 },
    };
    const users = [{ ...madeUp(1), email: bobby, mail_held: true }];
    const answer = { status: 200, json: { success: true, data: { users, total_count: 1 } } };
    await answering('/admin/readonly/users', answer, async () => {
      await go();
      await tab('User Management');
      await rowOf(bobby).getByText('mail held').waitFor();
      await answering('/admin/readonly/mail_hold', failed, async () => {
        await open(bobby);
        await dialog().getByText('Failed to load details of the mail hold').waitFor();
      });
      const held = { status: 200, json: { success: true, data: { hold } } };
      await answering('/admin/readonly/mail_hold', held, async () => {
        await dialog().getByRole('button', { name: 'Try again' }).click();
        await dialog().getByText('Unusually many first-time recipients').waitFor();
        await dialog().getByText('First-time recipients', { exact: true }).waitFor();
        expect(await findDefects(page)).toEqual([]);
      });
      await dialog().getByRole('button', { name: 'Release' }).click();
      const question = page.getByRole('alertdialog', { name: `Release outgoing mail from ${bobby}?` });
      await question.waitFor();
      expect(await findDefects(page)).toEqual([]);
      await answering('/admin/release_mail', forbidden, async () => {
        await question.getByRole('button', { name: 'Release' }).click();
        await toast('Failed to release mail: Insufficient permissions to release mail');
      });
      await question.getByRole('button', { name: 'Release' }).click();
      await toast(`Released held mail of ${bobby}`);
      await gone();
    });
    await go();
    await tab('User Management');
    await rowOf(bobby).waitFor();
  });

  test('a suspension needs a reason, ends the sessions and can be lifted', async () => {
    await open(bobby);
    const suspend = () => dialog().getByRole('button', { name: 'Suspend', exact: true });
    const reason = () => dialog().getByPlaceholder('Enter reason for suspension...');
    expect(await suspend().isDisabled()).toBe(true);
    await reason().fill('    ');
    expect(await suspend().isDisabled()).toBe(true);
    await reason().fill('spam');
    await suspend().click();
    await dialog().getByText('Reason must be at least 5 characters').waitFor();
    await reason().fill('x'.repeat(500));
    await suspend().click();
    await dialog().getByText('Reason must be less than 500 characters').waitFor();
    await reason().fill('It sent spam');
    await answering(
      '/admin/suspend_user',
      { status: 404, json: refusal('not_found', 'User not found') },
      async () => {
        await suspend().click();
        await toast('Failed to suspend user: User not found');
      },
    );
    expect(await reason().inputValue()).toBe('It sent spam');
    await suspend().click();
    await toast(`Successfully suspended ${bobby}`);
    await gone();
    await rowOf(bobby).getByText('suspended').waitFor();
    // His open tab learns of it by itself, and the form keeps showing the reason.
    await bob.page.waitForURL('**/app/signin*');
    await bob.page.locator('form').getByText('This account is suspended. Reason: It sent spam').waitFor();
    expect(await findDefects(bob.page)).toEqual([]);
    await open(bobby);
    await dialog().getByText('Reason: It sent spam').waitFor();
    for (const code of [404, 501])
      await answering('/admin/unsuspend_user', { status: code, json: refusal('x', 'x') }, async () => {
        // The text of the previous response may still be visible.
        const answered = page.waitForResponse('**/admin/unsuspend_user');
        await dialog().getByRole('button', { name: 'Unsuspend' }).click();
        await answered;
        await toast('Unsuspend functionality not yet implemented');
      });
    await dialog().getByRole('button', { name: 'Unsuspend' }).click();
    await toast(`Successfully unsuspended ${bobby}`);
    await rowOf(bobby).getByText('active').waitFor();
  });

  test('the audit log lists every action, and a phone shows all of it', async () => {
    await tab('Audit log');
    const entries = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem');
    await expect
      .poll(() => entries.locator('.font-medium').allTextContents())
      .toEqual([
        'Unsuspended account',
        'Suspended account',
        'Changed plan',
        'Revoked admin role',
        'Granted admin role',
        'Granted admin role',
      ]);
    await entries.nth(1).getByText('Reason: It sent spam').waitFor();
    await entries.nth(1).getByText(`by ${alice}`).waitFor();
    await entries.nth(5).getByText('by Operator (on the server)').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await answering('/admin/readonly/audit', failed, async () => {
      await go();
      await tab('Audit log');
      await toast('Failed to load audit log');
    });
    await page.setViewportSize({ width: 390, height: 844 });
    await go();
    // All tabs are within the screen.
    await expect
      .poll(async () => {
        const boxes = await Promise.all((await page.getByRole('tab').all()).map(one => one.boundingBox()));
        return boxes.map(box => box !== null && box.x >= 0 && box.x + box.width <= 390);
      })
      .toEqual([true, true, true, true]);
    await page.getByRole('switch', { name: 'Debug' }).click();
    await page.getByText(/^GET (?:stats|users) 200$/).waitFor();
    await page.getByRole('switch', { name: 'Debug' }).click();
    await tab('User Management');
    await page.getByRole('list', { name: 'Users' }).getByRole('listitem').nth(1).waitFor();
    expect(await findDefects(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('an admin below super sees no actions', async () => {
    // The last super admin cannot be removed.
    setLevel('grant', 'super', bobby);
    setLevel('grant', 'readonly', alice);
    await go();
    await tab('User Management');
    await open(bobby);
    await dialog().getByText('User Information').waitFor();
    expect(await dialog().getByText('Admin Actions').count()).toBe(0);
    expect(await dialog().getByRole('button').count()).toBe(1);
  });
});
