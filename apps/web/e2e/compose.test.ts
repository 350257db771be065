// Writing mail (docs/spec-map.md 4, 7, docs/interface.md#composer): which recipients get encryption
// and how the composer shows it, drafts that keep all typed text, uploads in progress, replies and
// forwards, and failed sends that neither lose nor duplicate a message.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ERRORS } from '@keyfold/contract/errors';
import { bindingOf, decodeBase64, openSummary } from '@keyfold/crypto/message';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { openPerson } from './support/browser.ts';
import { notices, openFolder } from './support/mailbox.ts';
import { sendFromOutside } from './support/outside.ts';
import { addRecipient, awaitMail, openMail, rowOf, rowsOf, startDraft } from './support/people.ts';
import { pressUntil } from './support/retry-click.ts';
import { useCorrespondence } from './support/story.ts';

type SendBody = {
  readonly to: readonly { readonly email: string; readonly plaintext: boolean; readonly bcc?: boolean }[];
  readonly subject: string;
  readonly body: string;
  readonly summary: string;
  readonly encryption_key?: string;
};

const bob = 'bob@keyfold.test';
const carla = 'carla@keyfold.test';
const outside = 'olga@outside.test';

describe.skipIf(chromiumPath === null)('writing mail (needs Chromium)', () => {
  const story = useCorrespondence();
  let page: Page;

  const subject = () => page.getByRole('textbox', { name: 'Subject' });
  const message = () => page.getByRole('textbox', { name: 'Message' });
  const words = () => message().innerText();
  const chips = (field = 'To') => page.getByRole('list', { name: field, exact: true }).getByRole('listitem');
  const sendButton = () => page.getByRole('button', { name: /^(?:Send|Try again|Waiting)(?!.*two copies)/ });
  const dialogs = () => page.getByRole('dialog');
  const write = async (to: string, fate: 'sealed' | 'plain', about: string, text: string) => {
    await startDraft(page, to, fate);
    await subject().fill(about);
    await message().fill(text);
  };
  const done = async () => {
    await notices(page).getByText('Sent', { exact: true }).first().waitFor();
    await dialogs().waitFor({ state: 'detached' });
    const dismiss = page.getByRole('button', { name: 'Dismiss' });
    while ((await dismiss.count()) > 0) await dismiss.first().click();
  };
  const attach = (name: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

  beforeAll(() => {
    ({ page } = story.alice);
  });

  test('a new message focuses the recipients, and each chip states what they receive', async () => {
    await page.getByText('Your inbox is empty').waitFor();
    await page.keyboard.press('c');
    await dialogs().waitFor();
    await page.keyboard.type('bob@keyfold.test, olga@outside.test;');
    await page.keyboard.type('nonsense ');
    await page.keyboard.press('Tab');
    await chips()
      .filter({ hasText: /bob.*End-to-end encrypted$/ })
      .waitFor();
    await chips()
      .filter({ hasText: /olga.*Not end-to-end encrypted: the server can read this message/ })
      .waitFor();
    await chips()
      .filter({ hasText: /nonsense.*Not an address/ })
      .waitFor();
    const looks = await chips()
      .filter({ has: page.getByRole('button') })
      .evaluateAll(all => all.map(one => `${one.querySelector('svg')?.getAttribute('class')}`));
    expect(new Set(looks).size).toBe(3);
    await page.getByText('1 recipient without end-to-end encryption.').waitFor();
    await page.getByText('1 encrypted, 1 not').waitFor();
    await expect.poll(() => sendButton().textContent()).toBe('Send, 1 not encrypted');
    await expect
      .poll(() => sendButton().getAttribute('aria-description'))
      .toBe('One of the addresses isn’t valid');
    await page.getByRole('button', { name: 'Remove nonsense' }).click();
    await page.getByRole('button', { name: `Remove ${outside}` }).click();
    await page.getByText('1 recipient without end-to-end encryption.').waitFor({ state: 'detached' });
    await expect.poll(() => sendButton().textContent()).toBe('Send');
    // A mistyped address at a domain of the service: the address does not exist, and unencrypted
    // sending is not offered.
    await page.getByRole('combobox', { name: 'To: add recipient' }).fill('boob@keyfold.test;');
    await page
      .getByRole('alert')
      .filter({ hasText: 'The address boob@keyfold.test doesn’t exist.' })
      .waitFor();
    await expect
      .poll(() => sendButton().getAttribute('aria-description'))
      .toBe('One recipient’s address doesn’t exist');
    await expect.poll(() => sendButton().textContent()).toBe('Send');
    await page.getByRole('button', { name: 'Remove boob@keyfold.test' }).click();
    await page.getByText('doesn’t exist').waitFor({ state: 'detached' });
    await expect.poll(() => sendButton().getAttribute('aria-description')).toBeNull();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await dialogs().waitFor({ state: 'detached' });
  });

  test('two copies: the sealed one stays sealed, and the key of the plaintext copy does not open it', async () => {
    const bodies: SendBody[] = [];
    page.on('request', request => {
      if (request.url().endsWith('/user/send_private')) bodies.push(request.postDataJSON() as SendBody);
    });
    await write(bob, 'sealed', 'Two copies', 'For both of you.');
    await addRecipient(page, outside, 'plain');
    await page.getByRole('button', { name: 'Send two copies' }).click();
    await done();
    page.removeAllListeners('request');
    expect(bodies).toHaveLength(2);
    const [sealed, plain] = bodies as [SendBody, SendBody];
    expect(sealed.encryption_key).toBeUndefined();
    expect(sealed.subject).toBe('[...]');
    expect(sealed.to.map(one => [one.email, one.plaintext])).toEqual([
      ['alice@keyfold.test', false],
      [bob, false],
    ]);
    expect(plain.to.filter(one => one.plaintext).map(one => one.email)).toEqual([outside]);
    expect(plain.to.some(one => one.email === bob)).toBe(false);
    const key = decodeBase64(plain.encryption_key ?? '');
    expect(await openSummary(key, await bindingOf(plain.body), plain.summary)).toMatchObject({
      subject: 'Two copies',
    });
    await expect(openSummary(key, await bindingOf(sealed.body), sealed.summary)).rejects.toThrow(
      'Failed to decrypt message',
    );
    await openMail(story.bobby.page, 'Two copies');
    await story.bobby.page.getByText('For both of you.').first().waitFor();
    await story.bobby.page
      .getByText(/^End-to-end encrypted/)
      .first()
      .waitFor();
    await expect.poll(() => story.sink.messages.length).toBe(1);
    expect(story.sink.messages[0]?.to).toEqual([outside]);
  });

  test('a draft shows that it is saved, exists once, and reopens where it was left', async () => {
    const states: string[] = [];
    await page.exposeFunction('noteState', (text: string) => void states.push(text));
    await write(bob, 'sealed', 'A slow letter', 'First line.');
    await page.evaluate(() => {
      const state = document.querySelector('[role=dialog] small[aria-live]');
      if (state === null) return;
      new MutationObserver(() =>
        (globalThis as unknown as { noteState: (text: string) => void }).noteState(state.textContent ?? ''),
      ).observe(state, { childList: true, characterData: true, subtree: true });
    });
    await page.getByText(/Draft saved \d+:\d\d/).waitFor();
    await message().press('End');
    await message().press('ControlOrMeta+End');
    await message().pressSequentially('\nSecond line.');
    await expect.poll(() => states.join('|')).toMatch(/Saving….*Draft saved \d+:\d\d/);
    await page.getByText(/Draft saved/).waitFor();
    // The page is closed without notice.
    await openFolder(page, story.product.baseUrl, 'drafts');
    await expect.poll(() => rowsOf(page, 'A slow letter').count()).toBe(1);
    await expect
      .poll(() => page.getByRole('list', { name: 'Messages' }).getByRole('listitem').count())
      .toBe(1);
    await rowOf(page, 'A slow letter').getByRole('link').first().click();
    await expect.poll(words).toMatch(/^First line\.\n+Second line\.$/);
    await expect.poll(() => subject().inputValue()).toBe('A slow letter');
    await chips()
      .filter({ hasText: /bob.*End-to-end encrypted$/ })
      .waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Message');
  });

  test('discarding can be undone, and an emptied draft disappears', async () => {
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await dialogs().waitFor({ state: 'detached' });
    // The row exists as long as sending can be undone; opening it undoes the sending.
    await rowOf(page, 'A slow letter').getByRole('link').first().click();
    await expect.poll(words).toMatch(/^First line\.\n+Second line\.$/);
    await page.getByText('Draft discarded').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await dialogs().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    // The editor takes focus a frame or two after it appears and puts the caret at its end; a user
    // does not type before that.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Message');
    await expect.poll(words).toMatch(/^First line\.\n+Second line\.$/);
    await expect
      .poll(async () => {
        await message().fill('');
        return (await words()).trim();
      })
      .toBe('');
    await subject().fill('');
    await page.getByRole('button', { name: `Remove ${bob}` }).click();
    await page.getByRole('button', { name: 'Save and close' }).click();
    await page.getByText('No drafts').waitFor();
    await page.keyboard.press('c');
    await dialogs().waitFor();
    await page.keyboard.press('Escape');
    await dialogs().waitFor({ state: 'detached' });
    await openFolder(page, story.product.baseUrl, 'drafts');
    await page.getByText('No drafts').waitFor();
    await write(bob, 'sealed', 'Gone for good', 'Words.');
    await page.getByText(/Draft saved/).waitFor();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('No drafts').waitFor();
  });

  test('a failed save shows an error and can be retried', async () => {
    await openFolder(page, story.product.baseUrl, 'recieved');
    await page.route('**/user/draft', route => route.abort());
    await write(bob, 'sealed', 'Not saved yet', 'Words.');
    await page.getByText('Draft not saved.').waitFor();
    await page.unroute('**/user/draft');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/Draft saved/).waitFor();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('button', { name: 'Dismiss' }).click();
  });

  test('a draft whose first save got no response exists once, even after a reload', async () => {
    await openFolder(page, story.product.baseUrl, 'drafts');
    await page.getByText('No drafts').waitFor();
    await page.route('**/user/draft', async route => {
      // The request may also fail because its node was killed; the effect is the same.
      await route.fetch().catch(() => undefined);
      await route.abort();
    });
    await write(bob, 'sealed', 'Kept in two places', 'Words.');
    await page.getByText('Draft not saved.').waitFor();
    await page.unroute('**/user/draft');
    await openFolder(page, story.product.baseUrl, 'drafts');
    await page.getByText(/Draft saved/).waitFor();
    await page.getByRole('button', { name: 'Save and close' }).click();
    await dialogs().waitFor({ state: 'detached' });
    await openFolder(page, story.product.baseUrl, 'drafts');
    await rowOf(page, 'Kept in two places').waitFor();
    expect(await rowsOf(page, 'Kept in two places').count()).toBe(1);
    await rowOf(page, 'Kept in two places').getByRole('link').first().click();
    await expect.poll(words).toBe('Words.');
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('button', { name: 'Dismiss' }).click();
  });

  test('files show progress, can be canceled, removed and dropped, and are uploaded only sealed', async () => {
    const mark = `mark ${randomBytes(8).toString('hex')}`;
    const bodies: Buffer[] = [];
    page.on('request', request => {
      if (request.url().endsWith('/user/upload')) bodies.push(request.postDataBuffer() ?? Buffer.alloc(0));
    });
    await startDraft(page, bob, 'sealed');
    let release: () => void = () => undefined;
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    await page.route('**/user/upload', async route => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await attach('slow.bin', Buffer.concat([Buffer.from(mark), randomBytes(3_000_000)]));
    const cancel = page.getByRole('button', { name: 'Cancel upload of slow.bin' });
    await cancel.waitFor();
    await page.getByText(/uploading \d+%/).waitFor();
    await expect.poll(() => sendButton().getAttribute('aria-description')).toBe('Wait for uploads to finish');
    const failed = page.waitForEvent('requestfailed', request => request.url().endsWith('/user/upload'));
    await cancel.click();
    expect((await failed).failure()?.errorText).toBe('net::ERR_ABORTED');
    await expect.poll(() => page.getByText('slow.bin').count()).toBe(0);
    release();
    await page.unroute('**/user/upload');

    await attach('kept.bin', Buffer.from(mark));
    await page.getByRole('button', { name: 'Remove kept.bin' }).click();
    await expect.poll(() => page.getByText('kept.bin').count()).toBe(0);

    const dropped = await page.evaluateHandle(text => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'dropped.txt', { type: 'text/plain' }));
      return transfer;
    }, mark);
    await dialogs().dispatchEvent('dragover', { dataTransfer: dropped });
    await page.getByText('Drop files to attach them').waitFor();
    await dialogs().dispatchEvent('drop', { dataTransfer: dropped });
    await page.getByRole('button', { name: 'Remove dropped.txt' }).waitFor();
    await page.getByText('Drop files to attach them').waitFor({ state: 'detached' });

    // The upload is tried twice before an error is shown.
    await page.route('**/user/upload', route => route.abort(), { times: 2 });
    await attach('again.txt', Buffer.from(mark));
    await page.getByRole('alert').getByText('Failed to connect to the server').waitFor();
    await page.getByRole('button', { name: 'Try again: again.txt' }).click();
    await page.getByRole('button', { name: 'Remove again.txt' }).waitFor();
    await page.getByText('again.txt').locator('..').getByText('100%').waitFor({ state: 'detached' });
    page.removeAllListeners('request');
    expect(bodies.length).toBeGreaterThanOrEqual(3);
    for (const body of bodies) {
      expect(body.includes(mark)).toBe(false);
      expect(body.includes('.txt') || body.includes('.bin')).toBe(false);
    }
    await subject().fill('Two files');
    await message().fill('Here they are.');
    await message().press('ControlOrMeta+Enter');
    await done();
    await openMail(story.bobby.page, 'Two files');
    for (const name of ['dropped.txt', 'again.txt']) {
      const [download] = await Promise.all([
        story.bobby.page.waitForEvent('download'),
        story.bobby.page.getByRole('button', { name: `Save ${name}`, exact: true }).click(),
      ]);
      expect(await readFile(await download.path(), 'utf8')).toBe(mark);
    }
  });

  test('many files dropped at once are uploaded a few at a time, and all arrive', async () => {
    await startDraft(page, bob, 'sealed');
    let underWay = 0;
    let most = 0;
    await page.route('**/user/upload', async route => {
      underWay += 1;
      most = Math.max(most, underWay);
      const reply = await route.fetch().catch(() => null);
      underWay -= 1;
      await (reply === null ? route.abort() : route.fulfill({ response: reply }));
    });
    const names = Array.from({ length: 24 }, (_, number) => `many-${number}.txt`);
    await page
      .locator('input[type=file]')
      .setInputFiles(names.map(name => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })));
    for (const name of names) await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
    await page.unroute('**/user/upload');
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
    await subject().fill('Many files');
    await message().fill('All of them.');
    await message().press('ControlOrMeta+Enter');
    await done();
    await openMail(story.bobby.page, 'Many files');
    await story.bobby.page.getByText('many-23.txt').first().waitFor();
  });

  test('a draft that contains only a file says so and returns the file', async () => {
    await openFolder(page, story.product.baseUrl, 'recieved');
    await page.route('**/user/draft', route => route.abort());
    await page.getByRole('button', { name: 'Compose' }).first().click();
    await pressUntil(
      page,
      async () => {
        const again = page.getByRole('button', { name: 'Try again: orphan.txt' });
        await ((await again.count()) > 0
          ? again.click()
          : attach('orphan.txt', Buffer.from('orphaned words')));
      },
      () => page.getByRole('button', { name: 'Remove orphan.txt' }).waitFor(),
    );
    await openFolder(page, story.product.baseUrl, 'drafts');
    await page.unroute('**/user/draft');
    const row = rowOf(page, 'Attachment saved');
    await row.getByText('This draft was generated from uploading an attachment').first().waitFor();
    await row.getByText('(No recipient)').first().waitFor();
    await row.locator('[data-color=gray] svg').first().waitFor();
    await row.getByRole('link').first().click();
    await page.getByRole('button', { name: 'Remove orphan.txt' }).waitFor();
    await addRecipient(page, bob, 'sealed');
    await subject().fill('The orphan');
    await sendButton().click();
    await done();
    await openMail(story.bobby.page, 'The orphan');
    const [download] = await Promise.all([
      story.bobby.page.waitForEvent('download'),
      story.bobby.page.getByRole('button', { name: 'Save orphan.txt', exact: true }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toBe('orphaned words');
  });

  test('a failed send keeps the text, and a retry sends once', async () => {
    await openFolder(page, story.product.baseUrl, 'recieved');
    await write(bob, 'sealed', 'Only once', 'Careful words.');
    const spam = { success: false, code: 'spam_refused', message: ERRORS.spam_refused.message };
    await page.route('**/user/send_private', route => route.fulfill({ status: 422, json: spam }), {
      times: 1,
    });
    await sendButton().click();
    await page
      .getByRole('alert')
      .getByText('Your message was rejected because it looks like spam.')
      .waitFor();
    // The message stays a draft with the latest text.
    await page.getByText(/Draft saved/).waitFor();
    // The server accepts the message, but the response is lost: first a proxy reports that its
    // server is gone, then the retry gets no response at all.
    const keys = new Set<string | undefined>();
    await page.route(
      '**/user/send_private',
      async route => {
        await route.fetch();
        const key = route.request().headers()['idempotency-key'];
        if (keys.has(key)) return route.abort();
        keys.add(key);
        await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
      },
      { times: 2 },
    );
    await sendButton().click();
    await page.getByRole('alert').getByText('Failed to connect to the server').waitFor();
    await expect.poll(() => words()).toBe('Careful words.');
    await expect.poll(() => sendButton().textContent()).toBe('Try again');
    await sendButton().click();
    await done();
    await awaitMail(story.bobby.page, 'Only once');
    await expect
      .poll(() =>
        story.bobby.page
          .getByRole('list', { name: 'Messages' })
          .getByRole('listitem')
          .filter({ hasText: 'Only once' })
          .count(),
      )
      .toBe(1);
    await rowOf(story.bobby.page, 'Only once').getByText('Only once').first().waitFor();
    await expect
      .poll(() => rowOf(story.bobby.page, 'Only once').getByRole('link').first().textContent())
      .not.toMatch(/messages/);
  });

  test('a message being sent is not saved as a draft again', async () => {
    let saves = 0;
    let letGo: () => void = () => undefined;
    const held = new Promise<void>(resolve => {
      letGo = resolve;
    });
    await page.route('**/user/draft', async route => {
      saves += 1;
      await held;
      await route.continue();
    });
    await page.route('**/user/send_private', async route => {
      // Longer than the autosave delay of drafts.
      await new Promise(resolve => setTimeout(resolve, 3_000));
      await route.continue();
    });
    await write(bob, 'sealed', 'On its way', 'First words.');
    await expect.poll(() => saves).toBe(1);
    await message().fill('Last words.');
    await sendButton().click();
    letGo();
    await done();
    await page.unroute('**/user/draft');
    await page.unroute('**/user/send_private');
    await openMail(story.bobby.page, 'On its way');
    await openFolder(page, story.product.baseUrl, 'drafts');
    const rows = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
    await page.getByText('No drafts').or(rows).first().waitFor();
    await expect.poll(() => rows.filter({ hasText: 'On its way' }).count()).toBe(0);
    await openFolder(page, story.product.baseUrl, 'recieved');
  });

  test('a message sent offline waits for the connection', async () => {
    await write(bob, 'sealed', 'Patience', 'Later.');
    await page.getByText(/Draft saved/).waitFor();
    await story.alice.context.setOffline(true);
    await page.getByRole('button', { name: 'Send when online' }).click();
    await page.getByRole('button', { name: 'Waiting for connection' }).waitFor();
    await story.alice.context.setOffline(false);
    await done();
    await awaitMail(story.bobby.page, 'Patience');
  });

  test('replies have the right recipients and subject, and forwards keep the files', async () => {
    await sendFromOutside(story.product.smtpPort, {
      to: 'alice@keyfold.test',
      subject: 'Minutes',
      text: 'Who was there?',
      fields: [
        'Cc: Bob Brandt <bob@keyfold.test>, third@outside.test',
        'Reply-To: Office <office@outside.test>',
      ],
      file: { name: 'small.txt', type: 'text/plain', bytes: new TextEncoder().encode('small words') },
    });
    await openMail(page, 'Minutes');
    await page.getByRole('article').getByText('Who was there?').waitFor();
    await page.keyboard.press('r');
    await message().waitFor();
    const names = (field: string) =>
      chips(field)
        .filter({ has: page.getByRole('button') })
        .evaluateAll(all =>
          all.map(
            one =>
              /Remove (.*)/.exec(
                one.querySelector('[aria-label^=Remove]')?.getAttribute('aria-label') ?? '',
              )?.[1],
          ),
        );
    await expect.poll(() => names('To')).toEqual(['Office']);
    await expect.poll(() => subject().inputValue()).toBe('Re: Minutes');
    await page.getByRole('button', { name: 'Show quoted text' }).click();
    await expect.poll(() => words()).toMatch(/^\s*On .*, Olga Outside wrote:\s+Who was there\?/);
    await page.getByRole('button', { name: 'Save and close' }).click();
    await page.keyboard.press('a');
    await message().waitFor();
    await expect.poll(() => names('To')).toEqual(['Office']);
    await expect.poll(() => names('Cc')).toEqual(['Bob Brandt', 'third@outside.test']);
    await message().pressSequentially('All of us.');
    await page.getByRole('button', { name: /^Send, 2 not encrypted/ }).click();
    await done();
    await expect.poll(() => story.sink.messages.length).toBeGreaterThanOrEqual(2);
    const raw = story.sink.messages.at(-1)?.raw.toString() ?? '';
    expect(raw).toMatch(/^Subject: Re: Minutes/m);
    expect(raw).toMatch(/^In-Reply-To: </m);
    expect(raw).toMatch(/^References: </m);

    // The buttons at the bottom apply to the newest message, which is now the reply, and collapsed.
    await page.getByRole('button', { name: 'Reply', exact: true }).last().click();
    await message().waitFor();
    await expect.poll(() => names('To')).toEqual(['Office']);
    await page.getByRole('button', { name: 'Save and close' }).click();
    await page
      .getByLabel('Message from Olga Outside')
      .getByRole('button', { name: 'More actions for this message' })
      .click();
    await page.getByRole('menuitem', { name: 'Forward' }).click();
    await dialogs().waitFor();
    await expect.poll(() => subject().inputValue()).toBe('Fwd: Minutes');
    await page.getByRole('button', { name: 'Remove small.txt' }).waitFor();
    await addRecipient(page, bob, 'sealed');
    await sendButton().click();
    await done();
    await openMail(story.bobby.page, 'Fwd: Minutes');
    const [small] = await Promise.all([
      story.bobby.page.waitForEvent('download'),
      story.bobby.page.getByRole('button', { name: 'Save small.txt', exact: true }).click(),
    ]);
    expect(await readFile(await small.path(), 'utf8')).toBe('small words');

    // A large file is forwarded in its stored form, without a new upload.
    const uploads: string[] = [];
    story.bobby.page.on('request', request => {
      if (request.url().endsWith('/user/upload')) uploads.push(request.url());
    });
    await openMail(story.bobby.page, 'Two files');
    await story.bobby.page.getByRole('article').getByText('Here they are.').waitFor();
    await story.bobby.page.keyboard.press('f');
    await story.bobby.page.getByRole('button', { name: 'Remove dropped.txt' }).waitFor();
    await addRecipient(story.bobby.page, 'alice@keyfold.test', 'sealed');
    await story.bobby.page.getByRole('button', { name: 'Send', exact: true }).click();
    await story.bobby.page.getByText('Sent', { exact: true }).first().waitFor();
    expect(uploads).toEqual([]);
    await openMail(page, 'Fwd: Two files');
    const [large] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save dropped.txt', exact: true }).click(),
    ]);
    expect(await readFile(await large.path(), 'utf8')).toMatch(/^mark /);
  });

  test('a message to oneself arrives sealed and with oneself as the confirmed sender', async () => {
    await openFolder(page, story.product.baseUrl, 'recieved');
    await write('alice@keyfold.test', 'sealed', 'Note to self', 'Milk.');
    await message().press('ControlOrMeta+Enter');
    await done();
    await openMail(page, 'Note to self');
    // Matches the copy in Sent or the received message.
    await page
      .getByText(/^End-to-end encrypted(?: for all recipients|\. You sent this message yourself)\.$/)
      .waitFor();
    expect(await page.getByText('Couldn’t confirm').count()).toBe(0);
  });

  test('Bcc recipients are visible only to the sender', async () => {
    const third = await openPerson(story.browser);
    await join(third, story.product.baseUrl, 'Carla Costa', 'carla');
    await openFolder(page, story.product.baseUrl, 'recieved');
    await startDraft(page, bob, 'sealed');
    await page.getByRole('button', { name: 'Cc Bcc' }).click();
    await page.getByRole('combobox', { name: 'Bcc: add recipient' }).fill(carla);
    await page.getByRole('combobox', { name: 'Bcc: add recipient' }).press('Enter');
    await chips('Bcc')
      .filter({ hasText: /carla.*End-to-end encrypted$/ })
      .waitFor();
    await subject().fill('Between us');
    await message().fill('Quiet words.');
    await sendButton().click();
    await done();
    for (const reader of [story.bobby.page, third.page]) {
      const answers: string[] = [];
      reader.on('response', async response => {
        if (/\/user\/(?:query|email)/.test(response.url()))
          answers.push(await response.text().catch(() => ''));
      });
      await openMail(reader, 'Between us');
      await reader.getByText('Quiet words.').last().waitFor();
      await reader.getByRole('button', { name: /^to / }).first().click();
      await expect.poll(() => reader.getByRole('article').innerText()).not.toMatch(/carla|Bcc/i);
      reader.removeAllListeners('response');
      if (reader === story.bobby.page) expect(answers.join('')).not.toContain(carla);
    }
    await third.context.close();
  });

  test('three composers fit side by side, and a fourth is not opened', async () => {
    await openFolder(page, story.product.baseUrl, 'recieved');
    for (let count = 0; count < 3; count++) {
      await page.getByRole('button', { name: 'Compose' }).first().click();
      await expect.poll(() => dialogs().count()).toBe(count + 1);
      await expect.poll(() => subject().inputValue()).toBe('');
      await subject().fill(`Window ${count}`);
    }
    await expect.poll(() => dialogs().count()).toBe(3);
    const boxes = await dialogs().evaluateAll(all => all.map(one => one.getBoundingClientRect().toJSON()));
    const sorted = boxes.toSorted((a, b) => a.left - b.left);
    for (const [index, box] of sorted.entries()) {
      expect(box.left).toBeGreaterThanOrEqual(sorted[index - 1]?.right ?? 0);
      expect(box.right).toBeLessThanOrEqual(1440);
    }
    await page.getByRole('button', { name: 'Compose' }).first().click();
    await page.getByText('You can have up to 3 messages open. Close one first.').waitFor();
    await page.getByRole('button', { name: 'Restore' }).first().click();
    await expect.poll(() => subject().count()).toBe(1);
    await expect.poll(() => subject().inputValue()).not.toBe('Window 2');
    while ((await dialogs().count()) > 0) {
      await dialogs().first().getByRole('button', { name: 'Save and close' }).click();
    }
    // Navigates within the app, because leaving the page would abort its pending saves.
    await page
      .getByRole('link', { name: /^Drafts/ })
      .first()
      .click();
    for (let count = 0; count < 3; count++) await rowOf(page, `Window ${count}`).waitFor();
  });

  test('the pages log only the expected errors', () => {
    const provoked =
      /ERR_FAILED|ERR_INTERNET_DISCONNECTED|(?:422 \(Unprocessable Entity\)|502 \(Bad Gateway\)) .*send_private/;
    expect(
      [...story.alice.problems, ...story.bobby.problems].filter(problem => !provoked.test(problem)),
    ).toEqual([]);
  });
});
