// Every screen of the product checked by axe, in both themes and at both widths, and a tour through
// all of them during which no page writes to the console or violates the policy. docs/acceptance.md
// 10, 68, 83.
import type { Product } from '@keyfold/testing/product';
import { runSql } from '@keyfold/testing/product-sql';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { type StoryDns, startStoryDns } from './support/dns.ts';
import { sendFromOutside } from './support/outside.ts';
import { addRecipient, awaitMail, rowOf, startDraft } from './support/people.ts';
import { startProduct } from './support/story.ts';
import { missedTargets } from './support/touch.ts';

const to = 'alice@keyfold.test';
const inbox = '/app/inbox/recieved/0';
const domainPath = (name: string) => `/app/config/domains/records?domain=${name}`;
/** A verified domain with all records except a recommended one. */
const proved = 'harborlight.test';
/** A domain with one record of each wrong kind. */
const broken = 'brokenlight.test';
const link = `/link?url=${encodeURIComponent('https://shop.example/a?b=1')}`;

const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

type Screen = {
  readonly at: string;
  readonly isOut?: boolean;
  readonly reach?: (page: Page) => Promise<void>;
  /** Whether something stays open over the page, or selected, until a reload. */
  readonly leavesOpen?: boolean;
};

/** Navigates within the app as its links do, without a page load. */
const goWithin = (page: Page, at: string): Promise<void> =>
  page.evaluate(to => {
    history.pushState({ idx: (history.state?.idx ?? 0) + 1, key: 'tour', usr: null }, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, at);

const open = (subject: string) => async (page: Page) => {
  await rowOf(page, subject).getByRole('link').first().click();
  await page.getByRole('article').locator('section[data-message]').first().waitFor();
};

/** Returns a tab of the admin dashboard, ready once its content is there. */
const consoleTab = (tab: string, shown: (page: Page) => Locator): Screen => ({
  at: '/app/admin',
  reach: async page => {
    await page.getByRole('tab', { name: tab }).click();
    await shown(page).waitFor();
  },
});

const screens: Readonly<Record<string, Screen>> = {
  signin: { at: '/app/signin', isOut: true },
  'signin refused': {
    at: '/app/signin',
    isOut: true,
    reach: async page => {
      await page.getByRole('textbox', { name: 'Address' }).fill(to);
      await page.getByRole('textbox', { name: 'Password' }).fill('Wrong-Horse-1');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Incorrect address or password').waitFor();
    },
  },
  signup: {
    at: '/app/signup',
    isOut: true,
    reach: async page => {
      await page.getByRole('textbox', { name: 'Password' }).fill('short');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Password is too short, minimal length is 8').waitFor();
      await page.getByText('Robot check passed', { exact: true }).waitFor();
    },
  },
  link: { at: link, isOut: true },
  'link without address': { at: '/link', isOut: true },
  'inbox list': { at: inbox, reach: page => rowOf(page, 'Text letter').waitFor() },
  'inbox selection': {
    at: inbox,
    leavesOpen: true,
    reach: async page => {
      await rowOf(page, 'Text letter')
        .getByRole('link')
        .first()
        .click({ modifiers: ['Control'] });
      await page.getByRole('heading', { name: '1 selected' }).waitFor();
    },
  },
  'empty folder': {
    at: '/app/inbox/archived/0',
    reach: page => page.getByText('No archived messages').waitFor(),
  },
  'nothing found': { at: `${inbox}#q=nobody`, reach: page => page.getByText('No mail matches').waitFor() },
  'reader, text': { at: inbox, reach: open('Text letter') },
  'reader, HTML': {
    at: inbox,
    reach: async page => {
      await open('HTML letter')(page);
      await page.frameLocator('iframe[title="Message body"]').getByText('Styled words').waitFor();
    },
  },
  'tag picker': {
    at: inbox,
    leavesOpen: true,
    reach: async page => {
      await open('Text letter')(page);
      await page.getByRole('button', { name: 'Tag', exact: true }).click();
      await page.getByRole('combobox', { name: 'Find or create a tag' }).fill('New one');
      await page.getByRole('radio', { name: 'Blue' }).waitFor();
    },
  },
  appearance: {
    at: '/app/config/appearance',
    reach: page => page.getByRole('heading', { name: 'Appearance' }).waitFor(),
  },
  'rule editor': {
    at: '/app/config/rules',
    leavesOpen: true,
    reach: async page => {
      await page.getByRole('button', { name: 'New rule' }).click();
      await page.getByRole('textbox', { name: 'Rule name' }).waitFor();
    },
  },
  contacts: {
    at: '/app/config/contacts',
    reach: page => page.getByText('No contacts yet').waitFor(),
  },
  keys: {
    at: '/app/security/keys',
    reach: page => page.getByRole('button', { name: 'Download public keys' }).waitFor(),
  },
  addresses: {
    at: '/app/config/addresses',
    reach: page => page.getByRole('list', { name: 'Addresses' }).waitFor(),
  },
  'new address': {
    at: '/app/config/addresses',
    leavesOpen: true,
    reach: async page => {
      await page.getByRole('button', { name: 'New address' }).click();
      await page.getByRole('dialog', { name: 'New address' }).waitFor();
    },
  },
  domains: {
    at: '/app/config/domains',
    reach: async page => {
      await page.getByRole('link', { name: proved }).waitFor();
      await page.getByText('Not verified yet').waitFor();
    },
  },
  'domain, proved': {
    at: domainPath(proved),
    reach: page => page.getByRole('switch', { name: 'Catch-all' }).waitFor(),
  },
  'domain, wrong records': {
    at: domainPath(broken),
    reach: async page => {
      for (const state of ['Found', 'Waiting', 'Different', 'No response'])
        await page.getByText(state, { exact: true }).first().waitFor();
    },
  },
  'domain of nobody': {
    at: domainPath('nobody.test'),
    reach: page => page.getByText('Couldn’t load the domain.').waitFor(),
  },
  'deleting a domain': {
    at: domainPath(proved),
    leavesOpen: true,
    reach: async page => {
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  recover: { at: '/app/recover', isOut: true },
  security: {
    at: '/app/security',
    reach: page => page.getByText('1 active session').waitFor(),
  },
  password: {
    at: '/app/security/password',
    reach: async page => {
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Enter your password').waitFor();
    },
  },
  'recovery kit': {
    at: '/app/security/recovery',
    reach: page => page.getByRole('button', { name: 'Create a recovery kit' }).waitFor(),
  },
  spam: {
    at: '/app/security/spam',
    reach: page => page.getByRole('switch', { name: 'Filter incoming mail' }).waitFor(),
  },
  sessions: {
    at: '/app/security/sessions',
    reach: page => page.getByRole('list', { name: 'Sign-ins' }).waitFor(),
  },
  notifications: {
    at: '/app/config/notifications',
    reach: page => page.getByRole('switch', { name: 'Quiet hours' }).waitFor(),
  },
  account: {
    at: '/app/config/account',
    reach: page => page.getByRole('heading', { name: 'Account', level: 1 }).waitFor(),
  },
  subscription: {
    at: '/app/config/subscription',
    reach: page => page.getByText('Billing is disabled on this server').waitFor(),
  },
  organization: {
    at: '/app/config/organisation',
    reach: async page => {
      await page.getByText('Invited', { exact: true }).waitFor();
      await page.getByRole('button', { name: `Disconnect ${proved}` }).waitFor();
    },
  },
  'inviting a member': {
    at: '/app/config/organisation',
    leavesOpen: true,
    reach: async page => {
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Address' }).waitFor();
    },
  },
  'console, numbers': consoleTab('Dashboard', page => page.getByText('100% of total').first()),
  'console, users': consoleTab('User Management', page => page.getByText('1 user in total')),
  'console, an account': {
    at: '/app/admin',
    leavesOpen: true,
    reach: async page => {
      await page.getByRole('tab', { name: 'User Management' }).click();
      await page.getByRole('button', { name: 'View Alice Almeida' }).click();
      await page.getByText('Admin Actions').waitFor();
    },
  },
  'console, operations': consoleTab('Operations', page => page.getByText('PostgreSQL')),
  'console, audit log': consoleTab('Audit log', page => page.getByText('Changed plan')),
  // The last screen: an unfinished draft reopens by itself over whatever is shown next.
  composer: {
    at: inbox,
    reach: async page => {
      await startDraft(page, to, 'sealed');
      await addRecipient(page, 'olga@outside.test', 'plain');
      await page.getByRole('textbox', { name: 'Subject' }).fill('For the look of it');
    },
  },
};

describe.skipIf(chromiumPath === null)('every screen (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let alice: Person;
  let dns: StoryDns;

  /** Calls an endpoint from Alice's page. */
  const call = (path: string, body?: object) =>
    alice.page.evaluate(
      async ({ path, body }) => {
        const isAdmins = path.startsWith('/admin/');
        const token = isAdmins ? (await (await fetch('/csrf/token')).json()).csrf_token : '';
        const init = body && {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-csrf-token': token },
          body: JSON.stringify(body),
        };
        return (await (await fetch(path, init)).json()).data;
      },
      { path, body },
    );

  /** Adds two domains for Alice: a valid one, and one with a record of each wrong kind. */
  const addDomains = async () => {
    await call('/admin/set-plan', { plan: 'plus' });
    for (const domain of [proved, broken]) {
      const { records } = await call('/user/domain/register', { domain });
      for (const { type, name, value } of records as { type: 'TXT' | 'MX'; name: string; value: string }[]) {
        if (domain === broken && name !== domain) continue;
        dns.zone[name] ??= {};
        if (type === 'MX') dns.zone[name].MX = [[10, value]];
        else dns.zone[name].TXT = [...(dns.zone[name].TXT ?? []), value];
      }
    }
    const mx = dns.zone[broken]?.MX ?? [];
    dns.zone[broken] = { TXT: ['v=spf1 include:_spf.oldhost.test -all'], MX: mx };
    dns.zone[`_dmarc.${broken}`] = { isDown: true };
    for (const domain of [proved, broken]) await call(`/user/domain/health?domain=${domain}`);
  };

  beforeAll(async () => {
    dns = await startStoryDns();
    ({ product, browser } = await startProduct({ DNS_SERVERS: dns.server }));
    alice = await openPerson(browser);
    await join(alice, product.baseUrl, 'Alice Almeida', 'alice');
    await sendFromOutside(
      product.smtpPort,
      {
        to,
        subject: 'Text letter',
        text: 'Plain words with https://shop.example/a?b=1 inside.\n\n> quoted words',
        file: { name: 'notes.txt', type: 'text/plain', bytes: new TextEncoder().encode('notes') },
      },
      {
        to,
        subject: 'HTML letter',
        html: '<h1 style="color:#8a2b2b">Styled words</h1><p>and <a href="https://a.example">a link</a></p><img src="https://a.example/i.png" alt="Shop">',
      },
    );
    await awaitMail(alice.page, 'HTML letter');
    await runSql(product, "update users set is_admin = true, admin_level = 'super'");
    await runSql(
      product,
      `insert into received_reports (digest, kind, domain, day, good, bad, received_at)
        values ('a', 'dmarc', 'keyfold.test', now(), 1240, 12, now()), ('b', 'tls', 'keyfold.test', now(), 318, 0, now())`,
    );
    await addDomains();
    await call('/user/organization/create', { name: 'Harbor Light' });
    await call('/user/organization/domains/connect', { domain: proved });
    await call('/user/organization/users', {
      name: 'Dora Diaz',
      username: 'dora',
      domain: proved,
      role: 'admin',
    });
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    dns?.close();
  });

  const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme);
  const isTooWide = (page: Page, parts: string) =>
    page.evaluate(
      selector =>
        [...document.querySelectorAll(selector)].some(
          element =>
            element.scrollWidth > element.clientWidth + 1 &&
            (element.matches('html') || getComputedStyle(element).overflowX === 'auto'),
        ),
      parts,
    );

  // Each width starts in a different theme, in which axe runs. This covers both starting in a theme
  // and switching to the other.
  for (const [width, size, themes] of [
    ['desktop', desktop, ['light', 'dark']],
    ['phone', phone, ['dark', 'light']],
  ] as const) {
    test(`has no defects on a ${width} in both themes, and no overflow down to 320 pixels`, async () => {
      const storageState = await alice.context.storageState();
      const found: Record<string, unknown> = {};
      for (const isOut of [true, false]) {
        const person = await openPerson(browser, {
          ...size,
          colorScheme: themes[0],
          reducedMotion: 'reduce',
          ...(isOut ? {} : { storageState }),
        });
        const { page } = person;
        let isClean = false;
        for (const [name, screen] of Object.entries(screens)) {
          if ((screen.isOut ?? false) !== isOut) continue;
          await page.emulateMedia({ colorScheme: themes[0] });
          // Every screen is reached in both ways: by a page load at one width, by a link at the
          // other.
          if (isClean && size === phone && !isOut) await goWithin(page, screen.at);
          else await page.goto(product.baseUrl + screen.at);
          isClean = screen.leavesOpen !== true;
          await page.locator('h1, main h2').first().waitFor();
          await screen.reach?.(page);
          await expect.poll(() => themeOf(page)).toBe(themes[0]);
          const defects = await findDefects(page);
          if (defects.length > 0) found[`${name}, ${themes[0]}`] = defects;
          for (const theme of themes) {
            await page.emulateMedia({ colorScheme: theme });
            await expect.poll(() => themeOf(page)).toBe(theme);
          }
          if (await isTooWide(page, 'html')) found[`${name}, too wide`] = true;
          if (size !== phone) continue;
          const missed = await missedTargets(page, 'body', { scrolls: true });
          if (missed.length > 0) found[`${name}, missed by a finger`] = missed;
          await page.setViewportSize({ width: 320, height: 640 });
          if (await isTooWide(page, 'html, [id=root] :not([role=tablist])'))
            found[`${name}, too wide at 320 pixels`] = true;
          await page.setViewportSize(phone.viewport);
        }
        // The request for the unowned domain fails, which the browser logs.
        const problems = person.problems.filter(problem => !/status of 404 .*=nobody\.test/.test(problem));
        if (problems.length > 0) found[isOut ? 'signed out' : 'signed in'] = problems;
        await person.context.close();
      }
      expect(found).toEqual({});
    }, 600_000);
  }

  test('Tab moves from the skip link through navigation, search and toolbar to the list rows', async () => {
    const { page } = alice;
    await page.goto(product.baseUrl + inbox);
    await rowOf(page, 'Text letter').waitFor();
    const stops: string[] = [];
    for (let count = 0; count < 30; count++) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === null || element === document.body) return 'nowhere';
        const isSeen = element.getBoundingClientRect().width > 0;
        // For a field in a frame the frame shows the focus, and for the list's resize handle its
        // line does.
        const isMarked =
          element.getAttribute('role') === 'separator' ||
          [element, element.parentElement].some(
            one => one !== null && getComputedStyle(one).outlineStyle !== 'none',
          );
        const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? '';
        return `${isSeen && isMarked ? '' : 'unseen '}${element.closest('[id=list]') ? 'row: ' : ''}${name}`;
      });
      stops.push(stop);
      if (stop.endsWith('List width')) break;
    }
    expect(stops[0]).toBe('Skip to message list');
    const order = [
      'Skip to message list',
      'Inbox',
      'Search mail',
      'Refresh',
      'row: ',
      'row: Select',
      'row: Star',
    ].map(name => stops.findIndex(stop => stop.startsWith(name) || stop === name));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    // One row has three tab stops: its link, its checkbox, its star.
    expect(stops.filter(stop => stop.startsWith('row: '))).toHaveLength(3);
    expect(stops.at(-1)).toBe('List width');
    expect(stops.filter(stop => /^unseen |^nowhere/.test(stop))).toEqual([]);
  });

  test('the page of Alice reports no problem', () => {
    expect(alice.problems).toEqual([]);
  });
});
