// Search (docs/interface.md#search, docs/acceptance.md 33, 34): the text of mail is found as the
// user types, from an index that is built in the browser, stored sealed, reused by a second device,
// and deleted at sign-out.
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { knownBrowser, openPerson, type Person } from './support/browser.ts';
import { sendFromOutside } from './support/outside.ts';
import { awaitMail, signIn, signUp } from './support/people.ts';
import { startProduct } from './support/story.ts';

const to = 'alice@keyfold.test';
const inner = [
  'From: Carla <carla@inner.test>',
  'Subject: =?utf-8?Q?Innerer_Betreff?=',
  'Content-Type: multipart/mixed; boundary=in',
  '',
  '--in',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Der Kolibri ist gr=C3=BCn.',
  '--in',
  'Content-Type: application/pdf',
  "Content-Disposition: attachment; filename*=utf-8''Gr%C3%BC%C3%9Fe%20Bericht.pdf",
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERi0xLjQK',
  '--in--',
].join('\r\n');

describe.skipIf(chromiumPath === null)('search (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let person: Person;
  let page: Page;

  const field = (on: Page = page) => on.getByRole('combobox', { name: 'Search mail' });
  const subjects = (on: Page = page): Promise<string[]> =>
    on
      .getByRole('list', { name: 'Messages' })
      .getByRole('listitem')
      .evaluateAll(rows =>
        rows.map(row => /(Amber|Beryl|Coral|Dusky|Ember) letter/.exec(row.textContent ?? '')?.[0] ?? ''),
      );
  const leave = async (on: Page = page): Promise<void> => {
    await field(on).press('Escape');
    await on.getByRole('heading', { name: 'Search results', level: 1 }).waitFor({ state: 'detached' });
  };
  const finds = async (query: string, expected: readonly string[], on: Page = page): Promise<void> => {
    // Chips of a previous search would remain.
    await leave(on);
    await field(on).fill(query);
    if (expected.length === 0) await on.getByText('No mail matches').waitFor();
    else await expect.poll(() => subjects(on), { message: query }).toEqual(expected);
  };
  /** Returns the files of the origin private file system with their readable content. */
  const files = (on: Page) =>
    on.evaluate(async () => {
      const found: { name: string; text: string }[] = [];
      const walk = async (folder: FileSystemDirectoryHandle): Promise<void> => {
        for await (const handle of folder.values()) {
          if (handle.kind === 'directory') await walk(handle as FileSystemDirectoryHandle);
          else
            found.push({
              name: handle.name,
              text: await (await (handle as FileSystemFileHandle).getFile()).text(),
            });
        }
      };
      await walk(await navigator.storage.getDirectory());
      return found;
    });

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    person = await openPerson(browser);
    page = person.page;
    await signUp(page, product.baseUrl, 'Alice Almeida', 'alice');
    await sendFromOutside(
      product.smtpPort,
      {
        to,
        subject: 'Amber letter',
        text: 'A quokka sat by the café. Green tea at noon.',
        from: { name: 'Ines Ortega', address: 'ines@woods.test' },
      },
      {
        to,
        subject: 'Beryl letter',
        text: '東京都で会いましょう。 Tea that is green.',
        from: { name: 'Bob', address: 'bob@hills.test' },
        file: { name: 'Quartalszahlen.txt', type: 'text/plain', bytes: new TextEncoder().encode('wood') },
      },
      {
        to,
        subject: 'Coral letter',
        text: '',
        from: { name: 'Carl', address: 'carl@sea.test' },
        file: { name: 'letter.eml', type: 'message/rfc822', bytes: new TextEncoder().encode(inner) },
      },
      {
        to,
        subject: 'Dusky letter',
        text: 'Nothing of note.',
        from: { name: 'Ines Other', address: 'ines@hills.test' },
      },
    );
    await awaitMail(page, 'Dusky letter');
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test('a word that occurs only in the text is found while it is typed, and highlighted in the message', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('quok');
    await expect.poll(() => subjects()).toEqual(['Amber letter']);
    expect(page.url()).toContain('#q=quok');
    await page.getByRole('heading', { name: 'Search results' }).waitFor();
    await page.getByRole('link').filter({ hasText: 'Amber letter' }).first().click();
    await page.getByRole('article').getByText('quokka').first().waitFor();
    await expect
      .poll(() =>
        page.evaluate(() =>
          [...(CSS.highlights.get('search-hit') ?? [])].map(range => (range as Range).toString()),
        ),
      )
      .toContain('quok');
    expect(page.url()).toContain('#q=quok');
    await leave();
    await expect.poll(async () => (await subjects()).length).toBe(4);
    expect(page.url()).not.toContain('q=');
  });

  test('text typed before the folder reappears is kept', async () => {
    await field().fill('quok');
    await page.getByRole('heading', { name: 'Search results' }).waitFor();
    await expect.poll(() => subjects()).toEqual(['Amber letter']);
    // In one task, so that the folder cannot be rendered in between.
    await field().evaluate(element => {
      const input = element as HTMLInputElement;
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      input.focus();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'noth');
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    await expect.poll(() => subjects()).toEqual(['Dusky letter']);
    expect(await field().inputValue()).toBe('noth');
    await leave();
  });

  test('search handles accents, other scripts, phrases, file names and attached messages', async () => {
    await finds('CAFE', ['Amber letter']);
    await finds('東京', ['Beryl letter']);
    await finds('京', ['Beryl letter']);
    await finds('green tea', ['Beryl letter', 'Amber letter']);
    await finds('"green tea"', ['Amber letter']);
    await finds('quartals', ['Beryl letter']);
    await finds('filename:txt', ['Beryl letter']);
    await finds('kolibri', ['Coral letter']);
    await finds('filename:"grusse bericht"', ['Coral letter']);
    await finds('innerer', ['Coral letter']);
    await finds('tea -quokka', ['Beryl letter']);
    await finds('quokka OR kolibri', ['Coral letter', 'Amber letter']);
    await finds('nowhere at all', []);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(async () => (await subjects()).length).toBe(4);
  });

  test('operators become chips, Backspace removes them, and a reload keeps the search', async () => {
    await field().fill('from:ines has:attachment ');
    await page.getByText('No mail matches').waitFor();
    const chips = page.getByRole('search').getByRole('button', { name: /^Remove / });
    await expect.poll(() => chips.count()).toBe(2);
    await expect.poll(() => field().inputValue()).toBe('');
    expect(new URL(page.url()).hash).toBe(`#q=${encodeURIComponent('from:ines has:attachment')}`);
    await page.reload();
    await expect.poll(() => chips.count()).toBe(2);
    await field().press('Backspace');
    await expect.poll(() => chips.count()).toBe(1);
    await expect.poll(() => subjects()).toEqual(['Dusky letter', 'Amber letter']);
    expect(new URL(page.url()).hash).toBe(`#q=${encodeURIComponent('from:ines')}`);
    await field().press('Enter');
    await leave();
    // Previous searches are suggested again, along with operators and people.
    await field().click();
    await page.getByRole('option', { name: 'from:ines' }).waitFor();
    await field().pressSequentially('bob');
    await page.getByRole('option', { name: /Bob/ }).first().click();
    await expect.poll(() => subjects()).toEqual(['Beryl letter']);
    await leave();
  });

  test('select all includes the chips, and the search scope is shown above the results', async () => {
    const chips = page.getByRole('search').getByRole('button', { name: /^Remove / });
    await field().fill('from:ines ');
    await expect.poll(() => chips.count()).toBe(1);
    await expect.poll(() => subjects()).toEqual(['Dusky letter', 'Amber letter']);
    await field().press('Control+a');
    await expect.poll(() => field().inputValue()).toMatch(/^from:ines ?$/);
    await field().pressSequentially('noon');
    await expect.poll(() => subjects()).toEqual(['Amber letter']);
    expect(new URL(page.url()).hash).toBe('#q=noon');
    expect(await chips.count()).toBe(0);
    await expect.poll(() => page.getByRole('listbox').count()).toBe(0);
    const place = (name: string, pressed: boolean) => page.getByRole('button', { name, pressed });
    await place('Search in: everywhere', true).waitFor();
    await place('Search in: Inbox', false).click();
    await place('Search in: Inbox', true).waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe(`#q=${encodeURIComponent('noon in:inbox')}`);
    await expect.poll(() => chips.count()).toBe(1);
    await place('Search in: everywhere', false).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#q=noon');
    await leave();
  });

  test('no rows appear before the first response, Enter focuses the first result, and Esc goes back', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    await page.route('**/user/emails', async route => {
      await opened;
      await route.continue();
    });
    await field().fill('tea');
    await field().press('Enter');
    await page.getByText('Searching…').waitFor();
    await expect.poll(() => subjects()).toEqual([]);
    open();
    const first = page.getByRole('list', { name: 'Messages' }).getByRole('listitem').first();
    await expect
      .poll(() => first.evaluate(row => row.contains(document.activeElement)).catch(() => false), {
        timeout: 15_000,
      })
      .toBe(true);
    await expect.poll(() => subjects()).toEqual(['Beryl letter', 'Amber letter']);
    await page.unroute('**/user/emails');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('quokka').first().waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(url => !url.search.includes('m='));
    expect(page.url()).toContain('#q=tea');
    // The message may still be closing.
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape');
        return page.url();
      })
      .not.toContain('q=');
    await expect.poll(async () => (await subjects()).length).toBe(4);
  });

  test('the search form writes the same query', async () => {
    await page.getByRole('button', { name: 'Search options' }).click();
    const form = page.getByRole('dialog', { name: 'Search options' });
    await form.getByRole('textbox', { name: 'From' }).fill('bob');
    await form.getByRole('checkbox', { name: 'Has attachment' }).click();
    await form.getByRole('button', { name: 'Search', exact: true }).click();
    await expect.poll(() => subjects()).toEqual(['Beryl letter']);
    expect(new URL(page.url()).hash).toBe(`#q=${encodeURIComponent('from:bob has:attachment')}`);
    await leave();
  });

  test('the index is stored encrypted on the device', async () => {
    await expect.poll(async () => (await files(page)).length).toBeGreaterThan(0);
    for (const { name, text } of await files(page)) {
      expect(name).toMatch(/^([0-9a-f]{32}|state)$/);
      expect(text).not.toMatch(/quokka|KFI1|woods/);
    }
  });

  test('a second device reuses the index and requests only the text of results', async () => {
    const second = await openPerson(browser);
    const full = new Set<string>();
    second.context.on('request', request => {
      if (!request.url().endsWith('/user/emails')) return;
      const { ids, view } = request.postDataJSON() as { ids: string[]; view?: string };
      if (view === 'full') for (const id of ids) full.add(id);
    });
    // The first device may still be merging what it read; the second one starts once the segments
    // no longer change.
    const segments = async (): Promise<string> =>
      JSON.stringify(
        (await (await person.context.request.get(`${product.baseUrl}/user/search/segments`)).json()).data,
      );
    await expect
      .poll(async () => {
        const before = await segments();
        await page.waitForTimeout(2_000);
        return before !== '[]' && before === (await segments());
      })
      .toBe(true);
    await second.context.addCookies(await knownBrowser(person.context));
    await signIn(second.page, product.baseUrl, to);
    await second.page.getByText('Amber letter').first().waitFor();
    await finds('quokka', ['Amber letter'], second.page);
    await finds('kolibri', ['Coral letter'], second.page);
    await expect.poll(async () => (await files(second.page)).length).toBeGreaterThan(0);
    // A visible result may be requested to show its text excerpt; no other message may.
    expect(full.size).toBeLessThanOrEqual(2);
    expect(second.problems).toEqual([]);
    await second.context.close();
  });

  test('new mail is found', async () => {
    await sendFromOutside(product.smtpPort, {
      to,
      subject: 'Ember letter',
      text: 'A numbat came by.',
      from: { name: 'Eve', address: 'eve@woods.test' },
    });
    await awaitMail(page, 'Ember letter');
    await finds('numbat', ['Ember letter']);
    await leave();
  });

  test('indexing interrupted by a killed tab resumes in the next tab', async () => {
    const other = await openPerson(browser);
    await join(other, product.baseUrl, 'Nora Nilsen', 'nora');
    await other.page.close();
    const messages = Array.from({ length: 60 }, (_, number) => ({
      to: 'nora@keyfold.test',
      subject: `Ember letter ${number}`,
      text: `The word of this one is fern${String(number).padStart(3, '0')}.`,
    }));
    await sendFromOutside(product.smtpPort, ...messages);
    const asked: string[][] = [];
    let isBroken = true;
    const second = Promise.withResolvers<void>();
    await other.context.route('**/user/emails', async route => {
      const { ids, view } = route.request().postDataJSON() as { ids: string[]; view?: string };
      // A request for a single message is a result, requested to show its text excerpt.
      if (view !== 'full' || ids.length === 1) return route.continue();
      // The second batch never arrives: the tab is killed while it waits.
      if (isBroken && asked.length > 0) return second.resolve();
      asked.push(ids);
      return route.continue();
    });
    const first = await other.context.newPage();
    await first.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    // The second batch is requested once the first is stored; a file may exist before its bytes do.
    await second.promise;
    expect((await files(first)).filter(({ text }) => text !== '')).not.toEqual([]);
    await first.close();
    isBroken = false;
    const next = await other.context.newPage();
    await next.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await next.getByText('Ember letter').first().waitFor();
    await finds('fern000', ['Ember letter'], next);
    await finds('fern059', ['Ember letter'], next);
    const ids = asked.flat();
    expect(new Set(ids).size).toBe(60);
    expect(ids.length).toBe(60);
    await other.context.close();
  });

  test('the search field keeps space to type and its buttons stay inside, with any number of chips', async () => {
    const sizes = [
      { width: 390, height: 844, query: 'has:attachment from:carol inv', room: 64 },
      {
        width: 1440,
        height: 900,
        query: 'has:attachment from:carolina.longname to:alexandra.longname subject:quarterly inv',
        room: 96,
      },
    ];
    for (const { query, room, ...size } of sizes) {
      await page.setViewportSize(size);
      await leave();
      await field().fill(query);
      await page.getByRole('button', { name: /^Remove has/ }).waitFor();
      const bar = await page.getByRole('search').boundingBox();
      const input = await field().boundingBox();
      expect(input?.width).toBeGreaterThanOrEqual(room);
      for (const name of ['Clear search', 'Search options']) {
        const button = await page.getByRole('button', { name }).boundingBox();
        expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(
          (bar?.x ?? 0) + (bar?.width ?? 0),
        );
        expect(button?.x ?? 0).toBeGreaterThanOrEqual((input?.x ?? 0) + (input?.width ?? 0));
      }
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBe(0);
    }
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('signing out deletes the index from the device', async () => {
    await page
      .getByRole('button', { name: /Alice Almeida|Account/ })
      .first()
      .click();
    const fresh = page.waitForEvent('load');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await fresh;
    await page.waitForURL('**/app/signin');
    await expect.poll(() => files(page)).toEqual([]);
    expect(person.problems).toEqual([]);
  });
});
