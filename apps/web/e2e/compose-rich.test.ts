// Rich-text messages (docs/interface.md#composer): formatted, pasted and dropped content arrives as
// correct MIME; signatures and templates; undone and scheduled messages; two tabs, a killed tab,
// and a lost connection.
import { spawnSync } from 'node:child_process';
import { type ParsedMessage, parseMessage } from '@keyfold/mail/mime/parse';
import type { Product } from '@keyfold/testing/product';
import { type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { clientOf } from './support/accounts.ts';
import type { Person } from './support/browser.ts';
import { notices, openFolder } from './support/mailbox.ts';
import { sendFromOutside } from './support/outside.ts';
import { addRecipient, openMail, rowOf, startDraft } from './support/people.ts';
import { startStory } from './support/story.ts';

const outside = 'olga@outside.test';
const self = 'alice@keyfold.test';
/** A 1×1 image. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Returns the parts of a message as Python's parser, an independent implementation, sees them. */
function readWithPython(raw: Buffer): readonly (readonly [type: string, name: string, id: string])[] {
  const program = [
    'import sys, json, email, email.policy',
    'm = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)',
    'print(json.dumps([[p.get_content_type(), p.get_filename() or "", p.get("Content-ID") or ""] for p in m.walk()]))',
  ].join('\n');
  const { stdout } = spawnSync('python3', ['-c', program], { input: raw, encoding: 'utf8' });
  return JSON.parse(stdout);
}

describe.skipIf(chromiumPath === null)('rich text messages (needs Chromium)', () => {
  let product: Product;
  let sink: SmtpSink;
  let browser: Browser;
  let alice: Person;
  let page: Page;

  const subject = () => page.getByRole('textbox', { name: 'Subject' });
  const message = () => page.getByRole('textbox', { name: 'Message' });
  const dialogs = () => page.locator('[role=dialog][data-docked], [role=dialog]');
  const sendButton = () => page.getByRole('button', { name: /^(?:Send|Try again|Waiting)(?!.*two copies)/ });
  const folder = (tag: string) => openFolder(page, product.baseUrl, tag);
  const arrived = async (about: string): Promise<{ readonly raw: Buffer; readonly mail: ParsedMessage }> => {
    const found = () => sink.messages.find(({ raw }) => raw.toString().includes(`Subject: ${about}`));
    await expect.poll(() => found() !== undefined).toBe(true);
    const raw = found()?.raw ?? Buffer.alloc(0);
    return { raw, mail: await parseMessage(raw) };
  };
  const give = (
    event: 'paste' | 'drop',
    data: Readonly<Record<string, string>>,
    file?: [string, string, string],
  ) =>
    message().evaluate(
      (field, [kind, texts, given]) => {
        const transfer = new DataTransfer();
        for (const [type, text] of Object.entries(texts)) transfer.setData(type, text);
        if (given !== null) {
          const bytes = Uint8Array.from(atob(given[2]), char => char.charCodeAt(0));
          transfer.items.add(new File([bytes], given[0], { type: given[1] }));
        }
        const box = field.getBoundingClientRect();
        const at = { clientX: box.right - 30, clientY: box.bottom - 15, bubbles: true, cancelable: true };
        field.dispatchEvent(
          kind === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
            : new DragEvent('drop', { ...at, dataTransfer: transfer }),
        );
      },
      [event, data, file ?? null] as const,
    );
  /**
   * Begins a draft whose last word is formatted with a shortcut; the format button stays pressed.
   */
  const beginFormatted = async (about: string, before: string, key: string, formatted: string) => {
    await startDraft(page, outside, 'plain');
    await subject().fill(about);
    await message().click();
    await page.keyboard.type(before);
    await page.keyboard.press(`ControlOrMeta+${key}`);
    await page.keyboard.type(formatted);
  };
  /** Adds an image to the text; resolves when the draft is saved with it. */
  const addPicture = async (how: 'paste' | 'drop') => {
    await give(how, {}, ['dot.png', 'image/png', dot]);
    await message().locator('img[src^="blob:"]').waitFor();
    await page.getByText(/Draft saved/).waitFor();
  };
  const setUndo = (seconds: number) =>
    page.evaluate(value => localStorage.setItem('undo_send_seconds', String(value)), seconds);

  beforeAll(async () => {
    sink = await startSmtpSink();
    ({
      product,
      browser,
      person: alice,
      page,
    } = await startStory({ SMTP_RELAY: `smtp://127.0.0.1:${sink.port}` }));
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    await sink?.close();
  });

  test('the editor retries a style sheet that failed to load', async () => {
    let asked = 0;
    const sheet = '**/assets/RichEditor.*.css';
    await page.route(sheet, route => (++asked < 3 ? route.abort() : route.continue()));
    await page.reload();
    await startDraft(page, outside, 'plain');
    await expect
      .poll(() => message().evaluate(field => getComputedStyle(field).whiteSpace))
      .toBe('break-spaces');
    expect(asked).toBe(3);
    await page.unroute(sheet);
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await message().waitFor({ state: 'detached' });
  });

  test('formatting, a cleaned paste and a picture arrive as multipart/alternative with a related image', async () => {
    await beginFormatted('Rich words', 'Dear Olga, ', 'b', 'bold');
    await page.keyboard.press('ControlOrMeta+b');
    await page.keyboard.type(' and ');
    await page.keyboard.type('the plan');
    for (let count = 0; count < 4; count++) await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('plan');
    // The editor receives selection changes slightly after the page.
    await page.waitForTimeout(200);
    await page.keyboard.press('ControlOrMeta+k');
    const address = page.getByRole('textbox', { name: 'Link address' });
    await address.fill('javascript:alert(1)');
    await address.press('Enter');
    await page.getByText('Enter a web or email address').waitFor();
    await address.fill('plan.example/offsite');
    await address.press('Enter');
    // Focus returns to the text shortly after the dialog closes.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Message');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await give('paste', {
      'text/html':
        '<style>p{color:red}</style><b style="font-weight:normal"><p style="font-weight:700" onclick="x()">From Docs</p></b>' +
        '<img src="https://tracker.example/p.gif"><script>document.title="owned"</script>' +
        '<p class="MsoListParagraph">·&nbsp;&nbsp; first</p><p class="MsoListParagraph">·&nbsp;&nbsp; second</p>',
    });
    await addPicture('drop');
    await page.getByRole('button', { name: /^Send, 1 not encrypted/ }).click();
    const { raw, mail } = await arrived('Rich words');
    expect(mail.html).toMatch(
      /Dear Olga, <strong>bold<\/strong> and the <a href="https:\/\/plan\.example\/offsite">/,
    );
    expect(mail.html).toMatch(/<strong>From Docs<\/strong>/);
    expect(mail.html).toMatch(/<ul><li[^>]*><p[^>]*>first<\/p><\/li>/);
    expect(mail.html).not.toMatch(/tracker|script|onclick|color:red/);
    expect(mail.text).toContain('Dear Olga, bold and the plan <https://plan.example/offsite>');
    expect(mail.text).toMatch(/- first\n(?:.*\n)?- .*second/);
    const [picture] = mail.attachments;
    expect(picture).toMatchObject({ mimeType: 'image/png', filename: 'dot.png', related: true });
    expect(mail.html).toContain(`cid:${picture?.contentId?.replace(/[<>]/g, '')}`);
    expect(Buffer.from(picture?.content ?? []).toString('base64')).toBe(dot);
    expect(readWithPython(raw).map(([type]) => type)).toEqual([
      'multipart/alternative',
      'text/plain',
      'multipart/related',
      'text/html',
      'image/png',
    ]);
    await expect.poll(() => page.title()).not.toBe('owned');
  });

  test('a forwarded message keeps the inline pictures of its text', async () => {
    await sendFromOutside(product.smtpPort, {
      to: self,
      subject: 'The view',
      html: '<p>Look:</p><img src="cid:view@outside.test" alt="view">',
      files: [
        {
          name: 'view.png',
          type: 'image/png',
          bytes: Buffer.from(dot, 'base64'),
          contentId: 'view@outside.test',
        },
      ],
    });
    await openMail(page, 'The view');
    await page.frameLocator('iframe').locator('img[src^="blob:"]').waitFor();
    await page.keyboard.press('f');
    await addRecipient(page, outside, 'plain');
    await expect.poll(() => sendButton().getAttribute('aria-description')).toBeNull();
    await sendButton().click();
    const { mail } = await arrived('Fwd: The view');
    const [picture, ...others] = mail.attachments;
    expect(others).toEqual([]);
    expect(picture).toMatchObject({ mimeType: 'image/png', filename: 'view.png', related: true });
    expect(mail.html).toContain(`cid:${picture?.contentId?.replace(/[<>]/g, '')}`);
    expect(Buffer.from(picture?.content ?? []).toString('base64')).toBe(dot);
  });

  test('a message without formatting is sent as plain text only', async () => {
    await startDraft(page, outside, 'plain');
    await subject().fill('Simple words');
    await message().fill('Nothing special.');
    await sendButton().click();
    const { raw, mail } = await arrived('Simple words');
    expect(mail.text?.trim()).toBe('Nothing special.');
    expect(readWithPython(raw).map(([type]) => type)).toEqual(['text/plain']);
  });

  test('a rich draft reopens unchanged, with its picture', async () => {
    await beginFormatted('Exactly', 'One ', 'i', 'two');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+i');
    await page.keyboard.type('> ');
    await page.keyboard.type('quoted');
    await addPicture('paste');
    const shape = () => message().evaluate(field => field.innerHTML.replace(/blob:[^"]*/g, 'blob:'));
    const before = await shape();
    await page.getByRole('button', { name: 'Save and close' }).click();
    await folder('drafts');
    await rowOf(page, 'Exactly').getByRole('link').first().click();
    await message().locator('img[src^="blob:"]').waitFor();
    await expect.poll(() => shape()).toBe(before);
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
  });

  test('a message that looks unfinished prompts once before sending', async () => {
    await folder('recieved');
    await startDraft(page, outside, 'plain');
    await message().fill('Please see the attached plan.');
    await sendButton().click();
    const question = page.getByRole('alertdialog');
    await question.getByText('You mentioned an attachment, but nothing is attached.').waitFor();
    await question.getByText('This message has no subject.').waitFor();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    await subject().fill('Asked once');
    await sendButton().click();
    await arrived('Asked once');
  });

  test('an unsent message returns unchanged to the composer', async () => {
    await setUndo(30);
    await startDraft(page, outside, 'plain');
    await subject().fill('Too early');
    await message().fill('Wait.');
    await page.getByRole('button', { name: 'Cc Bcc' }).click();
    await page.getByRole('combobox', { name: 'Bcc: add recipient' }).fill('hidden@outside.test');
    await page.getByRole('combobox', { name: 'Bcc: add recipient' }).press('Enter');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') });
    await page.getByRole('button', { name: 'Remove plan.txt' }).waitFor();
    await page.getByText('100%').waitFor({ state: 'detached' });
    await expect.poll(() => sendButton().getAttribute('aria-description')).toBeNull();
    await message().press('ControlOrMeta+Enter');
    await notices(page).getByText('Sending…').waitFor();
    await notices(page).getByRole('button', { name: 'Undo' }).click();
    await message().waitFor();
    await expect.poll(() => message().innerText()).toBe('Wait.');
    await expect.poll(() => subject().inputValue()).toBe('Too early');
    await page.getByRole('button', { name: `Remove ${outside}` }).waitFor();
    await page.getByRole('button', { name: 'Remove hidden@outside.test' }).waitFor();
    await page.getByRole('button', { name: 'Remove plan.txt' }).waitFor();
    await page.getByText(/Draft saved/).waitFor();
    await setUndo(0);
    await message().fill('Now.');
    await sendButton().click();
    const { mail } = await arrived('Too early');
    expect(mail.text?.trim()).toBe('Now.');
    expect(mail.attachments.map(file => file.filename)).toEqual(['plan.txt']);
    expect(sink.messages.filter(({ raw }) => raw.toString().includes('Wait.'))).toEqual([]);
  });

  test('previous recipients are suggested', async () => {
    await page.getByRole('button', { name: 'Compose' }).first().click();
    await page.getByRole('combobox', { name: 'To: add recipient' }).pressSequentially('olg');
    await page.getByRole('option', { name: new RegExp(outside) }).click();
    await page.getByRole('button', { name: `Remove ${outside}` }).waitFor();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
  });

  test('a message from a crashed tab is restored once', async () => {
    await page.route('**/user/draft', route => route.abort());
    await startDraft(page, outside, 'plain');
    await subject().fill('Survivor');
    await message().click();
    await page.keyboard.type('Still here.');
    const typedAt = Date.now();
    const readCopies = () =>
      page.evaluate(async () => {
        // Opening a database that does not exist yet would create it without the program's schema.
        const known = await indexedDB.databases();
        if (known.every(({ name }) => name !== 'letters')) return [];
        const open = indexedDB.open('letters');
        await new Promise(resolve => {
          open.onsuccess = resolve;
        });
        const all = open.result.transaction('copies').objectStore('copies').getAll();
        await new Promise(resolve => {
          all.onsuccess = resolve;
        });
        open.result.close();
        return all.result as { readonly at: number; readonly sealed: string }[];
      });
    await expect.poll(async () => (await readCopies())[0]?.at).toBeGreaterThan(typedAt);
    const sealed = JSON.stringify(await readCopies());
    expect(sealed).toContain('sealed');
    expect(sealed).not.toMatch(/Survivor|Still here|olga/);
    const { context } = alice;
    page = await context.newPage();
    await alice.page.close({ runBeforeUnload: false });
    alice = { ...alice, page };
    await folder('recieved');
    await message().waitFor();
    await expect.poll(() => message().innerText()).toBe('Still here.');
    await expect.poll(() => subject().inputValue()).toBe('Survivor');
    await page.getByText(/Draft saved/).waitFor();
    // The server has the draft, so this device drops its copy; otherwise the draft would reappear.
    await expect.poll(async () => (await readCopies()).length).toBe(0);
    await page.getByRole('button', { name: 'Save and close' }).click();
    await folder('drafts');
    await rowOf(page, 'Survivor').waitFor();
    const rows = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
    await expect.poll(() => rows.filter({ hasText: 'Survivor' }).count()).toBe(1);
    await expect.poll(() => dialogs().count()).toBe(0);
  });

  test('a second tab can read a draft and take it over', async () => {
    await folder('drafts');
    await rowOf(page, 'Survivor').getByRole('link').first().click();
    await message().waitFor();
    const other = await alice.context.newPage();
    await other.goto(`${product.baseUrl}/app/inbox/drafts/0`);
    await rowOf(other, 'Survivor').getByRole('link').first().click();
    await other.getByText('This draft is being edited in another tab.').waitFor();
    const theirs = other.getByRole('textbox', { name: 'Message' });
    await expect.poll(() => theirs.getAttribute('contenteditable')).toBe('false');
    await message().click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(' More.');
    await other.getByRole('button', { name: 'Edit here' }).click();
    await other.getByText('This draft is being edited in another tab.').waitFor({ state: 'detached' });
    // By now the row in the list may show the same words.
    await theirs.getByText('Still here. More.').waitFor();
    await page.getByText('This draft is being edited in another tab.').waitFor();
    await theirs.click();
    await other.keyboard.press('ControlOrMeta+End');
    await other.keyboard.type(' Mine.');
    await other.getByText(/Draft saved/).waitFor();
    await other.close();
  });

  test('offline text is stored on this device and saved when the connection returns', async () => {
    await folder('recieved');
    await startDraft(page, outside, 'plain');
    await subject().fill('On the train');
    await alice.context.setOffline(true);
    await message().click();
    await page.keyboard.type('Tunnel.');
    await page.getByText('Saved on this device (offline)').waitFor();
    await alice.context.setOffline(false);
    await page.getByText(/Draft saved/).waitFor();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
  });

  test('a draft that the server rejected is saved automatically a moment later', async () => {
    let refused = 0;
    const refuse = (route: Route) => {
      refused++;
      return route.fulfill({ status: 503, contentType: 'application/json', body: '{}' });
    };
    await page.route('**/user/draft', refuse, { times: 1 });
    await startDraft(page, outside, 'plain');
    await subject().fill('Busy');
    await page.getByText('Draft not saved.').waitFor();
    await page.getByText(/Draft saved/).waitFor();
    expect(refused).toBe(1);
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
  });

  test('a text can be saved as a template, and switching to plain text asks first', async () => {
    await page.getByRole('button', { name: 'Compose' }).first().click();
    await message().click();
    await page.keyboard.press('ControlOrMeta+b');
    await page.keyboard.type('Kind regards');
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByRole('menuitem', { name: 'Templates' }).click();
    const window = page.getByRole('dialog', { name: 'Templates' });
    await window.getByText('No templates yet. Write a message, then save its text here.').waitFor();
    await window.getByRole('textbox', { name: 'Save this text as a template' }).fill('Greeting');
    await window.getByRole('button', { name: 'Save' }).click();
    await window.getByRole('button', { name: 'Rename Greeting' }).click();
    await window.getByRole('textbox', { name: 'Name' }).fill('Farewell');
    await window.getByRole('button', { name: 'Save' }).first().click();
    await window.getByRole('button', { name: /^Farewell/ }).click();
    await window.waitFor({ state: 'detached' });
    await expect
      .poll(() => message().locator('strong').allInnerTexts())
      .toEqual(['Kind regardsKind regards']);
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Plain text' }).click();
    await page.getByRole('button', { name: 'Switch to plain text' }).click();
    await expect.poll(() => message().inputValue()).toContain('Kind regards');
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
  });

  test('the default signature is added to a new message and can be replaced', async () => {
    const { signatures } = clientOf(alice, product.baseUrl);
    const make = (name: string, is_default: boolean) =>
      signatures.create({
        name,
        html_content: `<p><b>${name}</b><img src="https://tracker.example/x.gif"></p>`,
        plain_text: name,
        is_default,
      });
    await make('Alice of Keyfold', true);
    await make('Ally', false);
    await folder('recieved');
    await startDraft(page, outside, 'plain');
    const signature = message().locator('.keyfold_signature');
    await signature.getByText('Alice of Keyfold').waitFor();
    await page.getByRole('button', { name: 'Signature' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Ally' }).click();
    await signature.getByText('Ally').waitFor();
    await expect.poll(() => signature.count()).toBe(1);
    await subject().fill('Signed');
    await message().locator('p').first().click();
    await page.keyboard.type('Words first.');
    await sendButton().click();
    const { mail } = await arrived('Signed');
    expect(mail.text?.trim()).toBe('Words first.\n\n-- \nAlly');
    expect(mail.html).toMatch(/<div class="keyfold_signature">.*<strong>Ally<\/strong>/);
    expect(mail.html).not.toContain('tracker');
  });

  test('a scheduled message can be edited and then sent at once to all its recipients', async () => {
    await startDraft(page, outside, 'plain');
    await page.getByRole('button', { name: 'Cc Bcc' }).click();
    await page.getByRole('combobox', { name: 'Bcc: add recipient' }).fill('hidden@outside.test');
    await page.getByRole('combobox', { name: 'Bcc: add recipient' }).press('Enter');
    await page.getByRole('button', { name: 'Remove hidden@outside.test' }).waitFor();
    await subject().fill('Not run yet');
    await message().locator('p').first().click();
    await page.keyboard.type('Patience.');
    await page.getByRole('button', { name: 'Schedule sending' }).click();
    await page.getByRole('menuitem', { name: /Tomorrow morning/ }).click();
    await notices(page)
      .getByText(/^Scheduled for/)
      .waitFor();
    await notices(page).getByRole('button', { name: 'Dismiss' }).first().click();
    await folder('scheduled');
    await rowOf(page, 'Not run yet').getByRole('link').first().click();
    await page.getByText(/^Scheduled for .* will receive it without end-to-end encryption\.$/).waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await message().getByText('Patience.').waitFor();
    await page.getByRole('button', { name: 'Remove hidden@outside.test' }).waitFor();
    await page.getByRole('button', { name: 'Schedule sending' }).click();
    await page.getByRole('menuitem', { name: /Tomorrow morning/ }).click();
    await notices(page)
      .getByText(/^Scheduled for/)
      .waitFor();
    await notices(page).getByRole('button', { name: 'Dismiss' }).first().click();
    await folder('scheduled');
    await rowOf(page, 'Not run yet').getByRole('link').first().click();
    await page.getByRole('button', { name: 'Send now' }).click();
    const { raw } = await arrived('Not run yet');
    await expect.poll(() => sink.messages.flatMap(one => one.to)).toContain('hidden@outside.test');
    expect(raw.toString()).not.toContain('hidden@outside.test');
  });

  test('a mailto link opens a message and attaches no file', async () => {
    const mailto =
      'mailto:olga@outside.test?subject=Hello&body=Line%201%0AYes&attach=/etc/passwd&bcc=x@outside.test';
    await page.goto(`${product.baseUrl}/app/compose?mailto=${encodeURIComponent(mailto)}`);
    await message().getByText('Line 1').waitFor();
    await expect.poll(() => subject().inputValue()).toBe('Hello');
    await page.getByRole('button', { name: `Remove ${outside}` }).waitFor();
    await expect.poll(() => page.getByText('passwd').count()).toBe(0);
    expect(page.url()).not.toContain('mailto');
    await page.getByRole('button', { name: 'Discard draft' }).click();
  });

  test('the pages log only the expected errors', () => {
    const provoked = /ERR_FAILED|ERR_INTERNET_DISCONNECTED/;
    expect(alice.problems.filter(problem => !provoked.test(problem))).toEqual([]);
  });
});
