// A message to local and external recipients is sent as two copies, so that the sealed copy stays
// sealed (docs/interpretations.md#17). Undo takes both back and restores one draft to all
// recipients.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { notices, openFolder } from './support/mailbox.ts';
import { addRecipient, awaitMail, openMail, rowOf, startDraft } from './support/people.ts';
import { useCorrespondence } from './support/story.ts';

const bob = 'bob@keyfold.test';
const outside = 'olga@outside.test';

describe.skipIf(chromiumPath === null)('undoing a message in two copies (needs Chromium)', () => {
  const story = useCorrespondence();
  let page: Page;

  const message = () => page.getByRole('textbox', { name: 'Message' });
  /** Returns the text of the draft; a message sent without formatting opens as plain text. */
  const words = () =>
    message().evaluate(field =>
      field instanceof HTMLTextAreaElement ? field.value : (field as HTMLElement).innerText,
    );
  const subject = () => page.getByRole('textbox', { name: 'Subject' });
  const rows = () => page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
  const folder = (word: string) => openFolder(page, story.product.baseUrl, word);
  const setUndo = (seconds: number) =>
    page.evaluate(value => localStorage.setItem('undo_send_seconds', String(value)), seconds);
  /** Requests that change a message, in order. */
  const asked: string[] = [];

  const writeToBoth = async (about: string) => {
    await startDraft(page, bob, 'sealed');
    await addRecipient(page, outside, 'plain');
    await subject().fill(about);
    await message().fill('First words.');
  };

  const isWhole = async (about: string) => {
    await message().waitFor();
    await expect.poll(words).toBe('First words.');
    await expect.poll(() => subject().inputValue()).toBe(about);
    await page.getByRole('button', { name: `Remove ${bob}` }).waitFor();
    await page.getByRole('button', { name: `Remove ${outside}` }).waitFor();
    await page.getByText('1 encrypted, 1 not').waitFor();
  };

  beforeAll(() => {
    ({ page } = story.alice);
    page.on('request', request => {
      const { pathname } = new URL(request.url());
      if (/\/user\/(?:send_private|unsend|delete)$/.test(pathname)) asked.push(pathname);
    });
  });

  test('Undo restores one draft to all recipients, and nothing is sent or left behind', async () => {
    await setUndo(30);
    await writeToBoth('Both or neither');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') });
    await page.getByRole('button', { name: 'Remove plan.txt' }).waitFor();
    await page.getByText('100%').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send two copies' }).click();
    await notices(page).getByText('Sending…').waitFor();
    await notices(page).getByRole('button', { name: 'Undo' }).click();
    await isWhole('Both or neither');
    await page.getByRole('button', { name: 'Remove plan.txt' }).waitFor();
    // One request takes back both copies, so that no failure can occur between them.
    expect(asked).toEqual(['/user/send_private', '/user/send_private', '/user/unsend']);
    await page.getByText(/Draft saved/).waitFor();
    await page.getByRole('button', { name: 'Save and close' }).click();
    for (const word of ['scheduled', 'sent', 'deleted']) {
      await folder(word);
      expect(await rows().count()).toBe(0);
    }
    await folder('drafts');
    await rowOf(page, 'Both or neither').waitFor();
    await expect.poll(() => rows().count()).toBe(1);
  });

  test('the edited draft is sent again as two copies, each exactly once', async () => {
    await setUndo(0);
    await rowOf(page, 'Both or neither').getByRole('link').first().click();
    await isWhole('Both or neither');
    await message().fill('Second words.');
    await page.getByRole('button', { name: 'Send two copies' }).click();
    await notices(page).getByText('Sent', { exact: true }).waitFor();
    await expect.poll(() => story.sink.messages.length).toBe(1);
    expect(story.sink.messages[0]?.to).toEqual([outside]);
    const raw = story.sink.messages[0]?.raw.toString() ?? '';
    expect(raw).toContain('Second words.');
    expect(raw).toContain('plan.txt');
    await openMail(story.bobby.page, 'Both or neither');
    await story.bobby.page.getByText('Second words.').last().waitFor();
    await story.bobby.page
      .getByText(/^End-to-end encrypted/)
      .first()
      .waitFor();
    await folder('drafts');
    expect(await rows().count()).toBe(0);
  });

  test('canceling one scheduled copy cancels the other one too', async () => {
    await setUndo(30);
    await writeToBoth('Waiting pair');
    await page.getByRole('button', { name: 'Send two copies' }).click();
    await notices(page).getByText('Sending…').waitFor();
    await page.getByRole('link', { name: /^Scheduled/ }).click();
    await expect.poll(() => rows().filter({ hasText: 'Waiting pair' }).count()).toBe(2);
    await rows().filter({ hasText: 'Waiting pair' }).last().getByRole('link').first().click();
    await page.getByRole('button', { name: 'Cancel sending' }).click();
    await notices(page).getByText('Sending canceled. The message is in Drafts.').waitFor();
    await folder('scheduled');
    expect(await rows().count()).toBe(0);
    await folder('drafts');
    await rowOf(page, 'Waiting pair').getByRole('link').first().click();
    await isWhole('Waiting pair');
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await awaitMail(story.bobby.page, 'Both or neither');
    expect(await rowOf(story.bobby.page, 'Waiting pair').count()).toBe(0);
    expect(story.sink.messages).toHaveLength(1);
  });

  test('the pages report no problem', () => {
    expect([...story.alice.problems, ...story.bobby.problems]).toEqual([]);
  });
});
