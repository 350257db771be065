// A conversation that is longer than any page of the server: the reader shows all of it, and an
// action on its row applies to every message of it.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { clientOf } from './support/accounts.ts';
import { openFolder, toastWith } from './support/mailbox.ts';
import { sendFromOutside } from './support/outside.ts';
import { rowOf } from './support/people.ts';
import { useStory } from './support/story.ts';

/** More than a page of the reader (50) and a page of the largest query (200). */
const LENGTH = 230;
/** Number of mail servers that deliver the messages in parallel. */
const CONNECTIONS = 4;
const subject = 'A long talk';
const idOf = (at: number): string => `<long${at}@woods.test>`;

describe.skipIf(chromiumPath === null)('a conversation of 230 messages (needs Chromium)', () => {
  const story = useStory();
  let page: Page;

  const counts = async () => {
    const { data } = await clientOf(story.person, story.product.baseUrl).mail.counts({});
    const { recieved, archived, deleted } = data.folders;
    return {
      inbox: recieved?.total,
      unread: recieved?.unread,
      archived: archived?.total,
      deleted: deleted?.total,
    };
  };
  const row = () => rowOf(page, subject);
  const label = () => row().getByRole('link').first().textContent();
  const check = () =>
    row()
      .getByRole('link')
      .first()
      .click({ modifiers: ['Control'] });
  const selected = () => page.getByRole('toolbar', { name: 'Selected messages' });

  beforeAll(async () => {
    ({ page } = story);
    const mails = Array.from({ length: LENGTH }, (_, at) => ({
      to: 'alice@keyfold.test',
      subject: at === 0 ? subject : `Re: ${subject}`,
      text: `Message ${at}.`,
      fields: [
        `Message-ID: ${idOf(at)}`,
        ...(at === 0 ? [] : [`In-Reply-To: ${idOf(0)}`, `References: ${idOf(0)}`]),
      ],
    }));
    await sendFromOutside(story.product.smtpPort, ...mails.slice(0, 1));
    const share = Math.ceil(LENGTH / CONNECTIONS);
    await Promise.all(
      Array.from({ length: CONNECTIONS }, (_, at) =>
        sendFromOutside(story.product.smtpPort, ...mails.slice(Math.max(1, at * share), (at + 1) * share)),
      ),
    );
  }, 180_000);

  test('is one row', async () => {
    await expect.poll(counts, { timeout: 60_000 }).toMatchObject({ inbox: LENGTH, unread: LENGTH });
    await openFolder(page, story.product.baseUrl, 'recieved');
    await expect.poll(label).toMatch(/^Unread\. .*230 messages/);
  });

  test('is marked as read completely', async () => {
    await check();
    await selected().getByRole('button', { name: 'Mark as read' }).click();
    await expect.poll(counts).toMatchObject({ inbox: LENGTH, unread: 0 });
  });

  test('is shown completely in the reader', async () => {
    await row().getByRole('link').first().click();
    const messages = page.getByRole('article').locator('[data-message]');
    await page.getByRole('button', { name: /older messages$/ }).click();
    await expect.poll(() => messages.count()).toBe(LENGTH);
    for (const at of [0, LENGTH - 1])
      await messages
        .filter({ hasText: `Message ${at}.` })
        .first()
        .waitFor();
    await page.keyboard.press('u');
  });

  test('is archived, undone, deleted and restored completely', async () => {
    await check();
    await selected().getByRole('button', { name: 'Archive' }).click();
    await toastWith(page, 'Conversation archived').waitFor();
    await expect.poll(counts).toMatchObject({ inbox: 0, archived: LENGTH });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(counts).toMatchObject({ inbox: LENGTH, archived: 0 });
    await row().waitFor();
    await check();
    await selected().getByRole('button', { name: 'Delete' }).click();
    await expect.poll(counts).toMatchObject({ inbox: 0, deleted: LENGTH });
    await page.keyboard.press('z');
    await expect.poll(counts).toMatchObject({ inbox: LENGTH, deleted: 0 });
  });
});
