// Two users verify each other in two browsers: one by a share code, the other by an image of a QR
// code. The resulting verification shows when mail is written and read, and a key swapped in the
// database is detected before anything is sealed to it (docs/acceptance.md 45, 48, 60, 61). Also
// covers failures of contacts, and vCard import and export.
import { readFile } from 'node:fs/promises';
import type { Product } from '@keyfold/testing/product';
import { runSql } from '@keyfold/testing/product-sql';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { changeAnswer } from './support/answers.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { openMail } from './support/people.ts';
import { startStory } from './support/story.ts';

const alice = 'alice@keyfold.test';
const bob = 'bob@keyfold.test';
const inboxPath = '/app/inbox/recieved/0';
const contactsPath = '/app/config/contacts';

/** In the format of phones from before smartphones. */
const oldCard = [
  'BEGIN:VCARD',
  'VERSION:2.1',
  'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;;',
  'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen=',
  ' M=C3=BCller',
  'EMAIL;INTERNET;WORK:jm@outside.test',
  'TEL;CELL:+49 170 1234567',
  'ADR;HOME;CHARSET=ISO-8859-1:;;Gr\xfcner Weg 3;K\xf6ln;;50667;',
  'ORG;CHARSET=ISO-8859-1:S\xf6hne & Co',
  'BDAY:1980-02-29',
  'X-HOBBY:Chess',
  'END:VCARD',
  '',
].join('\r\n');

describe.skipIf(chromiumPath === null)('contacts (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let ann: Person;
  let ben: Person;

  const go = (page: Page, path: string) => page.goto(`${product.baseUrl}${path}`);
  const addField = (page: Page) =>
    page.getByRole('textbox', { name: 'Add a contact by address or share code' });
  const row = (page: Page, text: string) =>
    page.getByRole('list', { name: 'Contacts' }).getByRole('listitem').filter({ hasText: text });
  const add = async (page: Page, text: string) => {
    await addField(page).fill(text);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
  };
  const makeCode = async (page: Page): Promise<string> => {
    await page.getByRole('button', { name: 'Create code' }).click();
    return (await page.locator('[data-share-code]').textContent()) ?? '';
  };
  const openVerify = async (page: Page, name: string) => {
    // Verified contacts still offer the safety number for another comparison.
    await page.getByRole('button', { name: new RegExp(`^(?:Verify|Safety number for) ${name}$`) }).click();
    const dialog = page.getByRole('dialog', { name: `Verify ${name}` });
    await dialog.getByRole('img', { name: 'QR code of the safety number' }).waitFor();
    return dialog;
  };
  const chip = (page: Page) =>
    page.getByRole('list', { name: 'To', exact: true }).getByRole('listitem').first();
  beforeAll(async () => {
    ({ product, browser, person: ann } = await startStory());
    ben = await openPerson(browser);
    await join(ben, product.baseUrl, 'Bob Brandt', 'bob');
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test('a timed share code adds its owner as verified, once, and the own entry is listed first', async () => {
    await Promise.all([go(ann.page, contactsPath), go(ben.page, contactsPath)]);
    const code = await makeCode(ben.page);
    expect(code).toMatch(/^([0-9A-Z]{5}-){9}[0-9A-Z]$/);
    await expect.poll(() => ben.page.getByRole('timer').textContent()).toMatch(/ (?:10:00|9:\d\d)$/);
    await ann.page.getByText('Your first contact adds 500 MB of storage', { exact: false }).waitFor();
    await add(ann.page, code);
    await row(ann.page, bob)
      .getByText(/^Verified/)
      .waitFor();
    await ann.page
      .getByText('Your first contact adds 500 MB of storage', { exact: false })
      .waitFor({ state: 'detached' });
    const names = await ann.page
      .getByRole('list', { name: 'Contacts' })
      .getByRole('listitem')
      .allTextContents();
    expect(names.map(text => text.includes('Me') && text.includes(alice))).toEqual([true, false]);
    await expect.poll(() => row(ann.page, alice).getByRole('button').count()).toBe(0);
    await add(ann.page, code);
    await ann.page
      .getByText('Failed to add contact: This code was already used. Ask for a new one.')
      .waitFor();
    await ben.page.getByText('Your code has been used and no longer works.').waitFor();
    expect(await findDefects(ann.page)).toEqual([]);
  });

  test('a share code with keys replaced by the server adds no contact', async () => {
    const code = await makeCode(ann.page);
    await ben.page.route('**/user/contacts', route =>
      route.request().method() === 'POST'
        ? changeAnswer<{ data: { dh_public: string } }>(route, ({ data }) => {
            // Replaces the first bytes of the X25519 key; any other key will do.
            data.dh_public = `AAAA${data.dh_public.slice(4)}`;
          })
        : route.continue(),
    );
    await add(ben.page, code);
    await ben.page.getByText(/The server’s keys don’t match this code/).waitFor();
    await ben.page.unroute('**/user/contacts');
    await go(ben.page, contactsPath);
    await ben.page.getByText('No contacts yet').waitFor();
  });

  test('both users see the same safety number, Not now has the focus, and scanning the code verifies', async () => {
    await add(ben.page, alice);
    await row(ben.page, alice).getByText('Not verified').waitFor();
    const [hers, his] = [
      await openVerify(ann.page, 'Bob Brandt'),
      await openVerify(ben.page, 'Alice Almeida'),
    ];
    const number = await hers
      .getByRole('list', { name: 'Safety number' })
      .getByRole('listitem')
      .allTextContents();
    expect(number).toHaveLength(12);
    await expect
      .poll(() => his.getByRole('list', { name: 'Safety number' }).getByRole('listitem').allTextContents())
      .toEqual(number);
    await expect
      .poll(() =>
        his.getByRole('button', { name: 'Not now' }).evaluate(one => one === document.activeElement),
      )
      .toBe(true);
    expect(await findDefects(ben.page)).toEqual([]);
    const picture = await hers.getByRole('img', { name: 'QR code of the safety number' }).screenshot();
    await his.getByRole('button', { name: 'Scan their code' }).click();
    await his
      .locator('input[type=file]')
      .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: picture });
    await row(ben.page, alice)
      .getByText(/^Verified/)
      .waitFor();
    await hers.getByRole('button', { name: 'Scan their code' }).click();
    await hers.getByRole('textbox', { name: 'Or enter their numbers' }).fill(number.toReversed().join(' '));
    await ann.page.getByText(/^Mismatch reported\..*To undo this, choose Review in Contacts/).waitFor();
    await hers.waitFor({ state: 'detached' });
    await row(ann.page, bob).getByText('Doesn’t match').waitFor();
  });

  test('a mismatched safety number blocks sending on every device until it is reviewed', async () => {
    const { page } = ann;
    // A device that opens now also has the verification, because it is stored in the sealed address
    // book.
    await go(page, inboxPath);
    await page.getByRole('button', { name: 'Compose' }).first().click();
    await page.getByRole('combobox', { name: 'To: add recipient' }).fill(bob);
    await page.getByRole('combobox', { name: 'To: add recipient' }).press('Enter');
    await chip(page)
      .getByText(/safety number for this contact doesn’t match/)
      .waitFor();
    await page.getByText('The safety number for Bob Brandt doesn’t match.').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Send', exact: true }).getAttribute('aria-description'))
      .toBe('A safety number doesn’t match. Review it first.');
    expect(await findDefects(page)).toEqual([]);
    await page.getByRole('button', { name: 'Review key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Verify Bob Brandt' });
    await dialog.getByText(/To undo this, compare again .* or clear the mismatch/).waitFor();
    expect(await findDefects(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Clear mismatch' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Clear mismatch' }).click();
    await chip(page)
      .getByText(/^, End-to-end encrypted$/)
      .waitFor();
    await go(page, contactsPath);
    await row(page, bob).getByText('Not verified').waitFor();
    // A mismatch can also be recorded from this button, and comparing again also clears it.
    const again = await openVerify(page, 'Bob Brandt');
    await again.getByRole('button', { name: 'They don’t match' }).click();
    await row(page, bob).getByText('Doesn’t match').waitFor();
    await row(page, bob).getByRole('button', { name: 'Review key for Bob Brandt' }).click();
    await again.getByRole('button', { name: 'They match' }).click();
    await row(page, bob)
      .getByText(/^Verified/)
      .waitFor();
  });

  test('a verified contact is marked as verified in the composer and the reader', async () => {
    const { page } = ann;
    await row(page, bob).getByRole('button', { name: 'More actions for Bob Brandt' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'New group' }).fill('Rowing team');
    await page.getByRole('button', { name: 'Save' }).click();
    await row(page, 'Rowing team').waitFor();
    await page.getByRole('button', { name: 'Rename group Rowing team' }).click();
    const naming = page.getByRole('dialog', { name: 'Rename group' });
    await naming.getByRole('textbox', { name: 'Name' }).fill('Rowing club');
    expect(await findDefects(page)).toEqual([]);
    await naming.getByRole('button', { name: 'Save' }).click();
    await row(page, 'Rowing club').waitFor();
    await go(page, inboxPath);
    await page.getByRole('button', { name: 'Compose' }).first().click();
    // The name of the group adds all its members.
    await page.getByRole('combobox', { name: 'To: add recipient' }).pressSequentially('rowing');
    await page.getByRole('option', { name: /Group of 1 person/ }).click();
    await chip(page)
      .getByText(/verified contact/)
      .waitFor();
    await page.getByRole('textbox', { name: 'Subject' }).fill('To a verified friend');
    await page.getByRole('textbox', { name: 'Message' }).fill('Words between friends.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await go(ben.page, inboxPath);
    await openMail(ben.page, 'To a verified friend');
    await ben.page.getByText('End-to-end encrypted. Alice Almeida is a verified contact.').waitFor();
    await ben.page.getByText('In your contacts').first().waitFor({ state: 'attached' });
  });

  test('contact files can be imported and exported, and failures are reported', async () => {
    const { page } = ben;
    await go(page, contactsPath);
    const card = (lines: string) => `BEGIN:VCARD\r\nVERSION:3.0\r\n${lines}\r\nEND:VCARD\r\n`;
    const groups = Array.from({ length: 130 }, (_, at) => `Group ${at}`).join(',');
    const olga = `FN:Olga Outside\r\nEMAIL:olga@outside.test\r\nTEL:+1 555\r\nCATEGORIES:${groups}`;
    const dialog = page.getByRole('dialog', { name: 'Import contacts' });
    await page.locator('input[type=file]').setInputFiles({
      name: 'c.vcf',
      mimeType: 'text/vcard',
      buffer: Buffer.from(card(olga) + card('FN:Phone Only\r\nTEL:+1 556')),
    });
    await dialog.getByText('1 contact will be added').waitFor();
    await dialog.getByText('1 card without an email address will be skipped').click();
    await dialog.getByText('Card 2: Phone Only').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page.getByText('1 added, 0 already in contacts, 1 skipped').waitFor();
    // The page renders only some of the groups, however many there are.
    const listed = page.getByRole('list', { name: 'Groups' }).getByRole('listitem');
    await expect.poll(() => listed.count()).toBe(100);
    await page.getByRole('button', { name: 'Show all 130' }).click();
    await expect.poll(() => listed.count()).toBe(130);
    await row(page, 'Olga Outside').getByText('No encryption').waitFor();
    await page.locator('input[type=file]').setInputFiles({
      name: 'c.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        '\xefVorname;Nachname;Spalte;E-Mail-Adresse\r\nPia;M\xfcller;=1+1;pia@outside.test\r\nOle;Ohne;;\r\n',
        'latin1',
      ).subarray(1),
    });
    await dialog.getByText('1 contact will be added').waitFor();
    await dialog.getByText('1 row without an email address will be skipped').click();
    await dialog.getByText('Row 2: Ole Ohne').waitFor();
    await choose(dialog.getByRole('combobox', { name: 'Column Spalte' }), 'Note');
    expect(await findDefects(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import' }).click();
    await row(page, 'Pia Müller').waitFor();
    const save = async (form: string): Promise<string> => {
      await page.getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: form }).click(),
      ]);
      return readFile(await download.path(), 'utf8');
    };
    const cards = await save('As vCard');
    expect(cards).toContain('FN:Olga Outside');
    expect(cards.replaceAll('\r\n ', '')).toContain(`CATEGORIES:${groups}\r\n`);
    expect(cards).toContain(`EMAIL;PREF=1:${alice}`);
    const table = await save('As CSV');
    expect(table).toContain('Pia Müller,pia@outside.test,,,"\'=1+1",');
    expect(table).toContain('Olga Outside,olga@outside.test,,+1 555,,Group 0');
    await page.locator('input[type=file]').setInputFiles({
      name: 'old.vcf',
      mimeType: 'text/x-vcard',
      buffer: Buffer.from(oldCard, 'latin1'),
    });
    await dialog.getByText('1 contact will be added').waitFor();
    await dialog.getByRole('button', { name: 'Import' }).click();
    await row(page, 'Jürgen Müller').waitFor();
    const edit = async (name: string) => {
      await row(page, name)
        .getByRole('button', { name: `More actions for ${name}` })
        .click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
    };
    await edit('Jürgen Müller');
    const about = page.getByRole('dialog', { name: 'jm@outside.test' });
    expect(await about.getByLabel('Phone (mobile)').inputValue()).toBe('+49 170 1234567');
    expect(await about.getByLabel('Postal address (home)').inputValue()).toBe('Grüner Weg 3\nKöln\n50667');
    expect(await about.getByLabel('Birthday').inputValue()).toBe('1980-02-29');
    expect(await about.getByLabel('Company').inputValue()).toBe('Söhne & Co');
    await about.getByText('Chess').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await about.getByLabel('Phone (mobile)').fill('+49 170 7654321');
    await about.getByRole('button', { name: 'Website' }).click();
    await about.getByLabel('Website').fill('https://outside.test');
    await about.getByRole('button', { name: 'Save' }).click();
    await about.waitFor({ state: 'detached' });
    await page.locator('input[type=file]').setInputFiles({
      name: 'outlook.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'Vorname;Nachname;Firma;Ort geschäftlich;Telefon geschäftlich;Geburtstag;E-Mail-Adresse;Partner/Partnerin\r\nQuinn;Quer;Hof;Bonn;+49 228 1;1.5.1990;quinn@outside.test;Sam\r\n',
        'latin1',
      ),
    });
    await dialog.getByText('1 contact will be added').waitFor();
    await dialog.getByRole('button', { name: 'Import' }).click();
    await edit('Quinn Quer');
    const quinn = page.getByRole('dialog', { name: 'quinn@outside.test' });
    expect(await quinn.getByLabel('Phone (work)').inputValue()).toBe('+49 228 1');
    expect(await quinn.getByLabel('Birthday').inputValue()).toBe('1990-05-01');
    await quinn.getByText('Sam').waitFor();
    await quinn.getByRole('button', { name: 'Cancel' }).click();
    // Everything is stored on the server, so another page has it too.
    await page.reload();
    await row(page, 'Quinn Quer').waitFor();
    const whole = (await save('As vCard')).replaceAll('\r\n ', '');
    for (const line of [
      'N:Müller;Jürgen;;;',
      'EMAIL;TYPE=WORK;PREF=1:jm@outside.test',
      'TEL;TYPE=CELL:+49 170 7654321',
      'ADR;TYPE=HOME:;;Grüner Weg 3;Köln;;50667;',
      'BDAY:1980-02-29',
      'X-HOBBY:Chess',
      'URL:https://outside.test',
      'TEL;TYPE=work:+49 228 1',
      'ADR;TYPE=work:;;;Bonn;;;',
    ])
      expect(whole).toContain(`${line}\r\n`);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'c.csv', mimeType: 'text/csv', buffer: Buffer.from('PK\u0003\u0004\0') });
    await page.getByText(/Not a vCard or CSV file/).waitFor();
    const failure = { status: 500, json: { success: false, message: 'Something failed', code: 'failed' } };
    await page.route('**/user/delete_contacts', route => route.fulfill(failure));
    const remove = async () => {
      await row(page, alice).getByRole('button', { name: 'More actions for Alice Almeida' }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    };
    await remove();
    await page
      .getByText(/Failed to delete contact/)
      .first()
      .waitFor();
    await page.unroute('**/user/delete_contacts');
    await remove();
    await row(page, alice).waitFor({ state: 'detached' });
    await add(page, 'bob+more@keyfold.test');
    await page.getByText('Failed to add contact: This is your own address').waitFor();
    await page.route('**/user/unverified_contacts', route => route.fulfill(failure));
    await add(page, alice);
    await page.getByText('Failed to add contact: Something failed').waitFor();
  });

  test('a key replaced in the database is detected before anything is sealed to it', async () => {
    const { page } = ann;
    expect(
      await runSql(
        product,
        `update users set main_key = users.main_key || jsonb_build_object(
           'dh_public_key', other.main_key->'dh_public_key', 'mlkem_public_key', other.main_key->'mlkem_public_key',
           'key_id', other.main_key->'key_id')
         from users other where users.kdf_email = '${bob}' and other.kdf_email = '${alice}'`,
      ),
    ).toBe('UPDATE 1');
    const sent: string[] = [];
    page.on('request', request => {
      if (request.url().endsWith('/user/send_private')) sent.push(request.postData() ?? '');
    });
    await go(page, inboxPath);
    await page.getByRole('button', { name: 'Compose' }).first().click();
    await page.getByRole('combobox', { name: 'To: add recipient' }).fill(bob);
    await page.getByRole('combobox', { name: 'To: add recipient' }).press('Enter');
    await chip(page)
      .getByText(/contact’s key has changed/)
      .waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('Not for others.');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await expect.poll(() => send.getAttribute('aria-disabled')).toBe('true');
    await expect
      .poll(() => send.getAttribute('aria-description'))
      .toBe('A key has changed. Review it first.');
    await send.click({ force: true });
    await page.getByRole('button', { name: 'Review key' }).click();
    const dialog = page.getByRole('dialog', { name: 'The key for Bob Brandt has changed' });
    await dialog.getByText(/may have new keys/).waitFor();
    expect(await findDefects(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await go(page, contactsPath);
    await row(page, bob).getByText('Key changed').waitFor();
    expect(sent).toEqual([]);
    await row(page, bob)
      .getByRole('button', { name: /Review/ })
      .click();
    await page.getByRole('button', { name: 'Accept new key' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Accept new key' }).click();
    await row(page, bob).getByText('Not verified').waitFor();
  });

  test('the pages log only the expected errors', () => {
    // While the server has other keys for the user, it rejects everything that is sealed under the
    // real ones.
    const isSwapped = (problem: string) => /status of 409 .*\/user\/records$/.test(problem);
    const isUsed = (problem: string) => /status of 409 .*\/user\/contacts$/.test(problem);
    const isMade = (problem: string) =>
      /status of (404|500)/.test(problem) || isSwapped(problem) || isUsed(problem);
    expect([...ann.problems, ...ben.problems].filter(problem => !isMade(problem))).toEqual([]);
  });
});
