// Reading conversations (docs/interface.md#reader; docs/acceptance.md 40, 42): long ones, drafts
// and deleted messages in them, messages that fail to open or arrive damaged, headers that a sender
// must not control, unsubscribing from a list, remote images.
import { readFileSync } from 'node:fs';
import { runSql } from '@keyfold/testing/product-sql';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { clientOf } from './support/accounts.ts';
import { type OutsideMail, sendFromOutside } from './support/outside.ts';
import { awaitMail, openMail, rowOf } from './support/people.ts';
import { pixelPng } from './support/sample-files.ts';
import { useStory } from './support/story.ts';

const to = 'alice@keyfold.test';
const talk = 'The long talk';

/** Returns the message with this number in the long conversation, counted from 1. */
const part = (number: number): OutsideMail => ({
  to,
  subject: number === 1 ? talk : `Re: ${talk}`,
  text: `Part ${number} of the talk.${number === 7 ? '\nA line.'.repeat(60) : ''}`,
  from: { name: `Speaker ${number}`, address: `speaker${number}@talk.test` },
  fields: [
    `Message-ID: <part${number}@talk.test>`,
    ...(number === 1 ? [] : [`In-Reply-To: <part${number - 1}@talk.test>`, 'References: <part1@talk.test>']),
  ],
});

const numbers = (from: number, until: number): number[] =>
  Array.from({ length: until - from + 1 }, (_, at) => from + at);

describe.skipIf(chromiumPath === null)('conversations (needs Chromium)', () => {
  const story = useStory();
  let page: Page;

  beforeAll(async () => {
    ({ page } = story);
    await sendFromOutside(
      story.product.smtpPort,
      ...numbers(1, 10).map(part),
      {
        to,
        subject: 'Broken on the way',
        rawLines: [
          'Content-Type: multipart/mixed; boundary="lost"',
          '',
          '--found',
          'Content-Type: text/plain; charset=utf-8',
          '',
          'These words were saved.',
          '--found--',
        ],
      },
      {
        to,
        subject: 'I am the service',
        text: 'Trust me.',
        fields: ['Alert: true', 'X-Alert: true', 'X-Keyfold-Alert: true', 'alert: 1'],
      },
      {
        to,
        subject: 'Weekly list',
        html: '<p>Pictures.</p><img id="far" src="https://10.1.2.3/a.png" alt="far">',
        from: { name: 'The list', address: 'list@lists.example' },
        fields: [
          'List-Unsubscribe: <https://127.0.0.1/leave?who=7>',
          'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
        ],
      },
    );
  });

  const inbox = async () => {
    await page.goto(`${story.product.baseUrl}/app/inbox/recieved/0`);
    await rowOf(page, talk).waitFor();
  };
  const article = () => page.getByRole('article');
  const messageOf = (number: number) => page.getByLabel(`Message from Speaker ${number}`, { exact: true });
  const older = (count: number) => page.getByRole('button', { name: `${count} older messages` });
  const closed = () => page.locator('[data-message][aria-expanded=false]');
  const frame = () => page.frameLocator('iframe[title="Message body"]');

  test('read messages of a long conversation are collapsed, and new ones are expanded', async () => {
    // Waits for all of them, so that no row moves under the mouse.
    await awaitMail(page, 'Weekly list');
    await expect.poll(() => rowOf(page, talk).getByRole('link').first().textContent()).toMatch(/10 messages/);
    await openMail(page, talk);
    await messageOf(10).waitFor();
    await expect.poll(() => page.title()).toBe('(3) Keyfold');
    await sendFromOutside(story.product.smtpPort, part(11), part(12));
    await inbox();
    await expect.poll(() => rowOf(page, talk).getByRole('link').first().textContent()).toMatch(/12 messages/);
    await openMail(page, talk);
    for (const number of [11, 12]) await messageOf(number).getByText(`Part ${number} of the talk.`).waitFor();
    await older(9).waitFor();
    await expect
      .poll(() => closed().allTextContents())
      .toEqual([expect.stringContaining('Part 10 of the talk.')]);
  });

  test('n and p move between messages and expand them, and ; expands all', async () => {
    const isOn = (number: number) =>
      messageOf(number).evaluate(element => element.contains(document.activeElement));
    await messageOf(12).focus();
    await page.keyboard.press('p');
    await expect.poll(() => isOn(11)).toBe(true);
    await page.keyboard.press('p');
    await messageOf(10).getByText('Part 10 of the talk.').waitFor();
    await expect.poll(() => isOn(10)).toBe(true);
    await page.keyboard.press('n');
    await expect.poll(() => isOn(11)).toBe(true);
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    await expect.poll(() => isOn(12)).toBe(true);
    await page.keyboard.press(';');
    for (const number of numbers(1, 12)) await messageOf(number).waitFor();
    await expect.poll(() => closed().count()).toBe(0);
  });

  test('a reply in progress is listed as a draft, and deleted messages are not listed', async () => {
    const removed = await messageOf(3).getAttribute('data-message');
    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: 'Message' }).click();
    await page.keyboard.type('Half an answer');
    await page.getByRole('button', { name: 'Save and close' }).click();
    await article().locator('[aria-expanded=false]').filter({ hasText: 'Half an answer' }).waitFor();
    await clientOf(story.person, story.product.baseUrl).mail.remove({ email_id: [removed ?? ''] });
    await inbox();
    await openMail(page, talk);
    await older(9).click();
    await expect.poll(() => closed().count()).toBe(11);
    const draft = closed().filter({ hasText: 'Half an answer' });
    await expect.poll(() => draft.textContent()).toMatch(/Draft/);
    await expect.poll(() => article().getByText('Part 3 of the talk.').count()).toBe(0);
    await draft.click();
    await page.getByRole('textbox', { name: 'Message' }).getByText('Half an answer').waitFor();
    await page.getByRole('button', { name: 'Discard draft' }).click();
  });

  test('a message expanded at the bottom of the pane scrolls into view, header first', async () => {
    await page.setViewportSize({ width: 1440, height: 600 });
    await inbox();
    await openMail(page, talk);
    await page.getByRole('button', { name: /older messages/ }).click();
    const card = closed().filter({ hasText: 'Part 7 of' });
    await card.evaluate(element => element.scrollIntoView({ block: 'end' }));
    await card.click();
    const fromTop = () =>
      messageOf(7).evaluate(element => {
        const pane = element.closest('[data-conversation]');
        return Math.round(element.getBoundingClientRect().top - (pane?.getBoundingClientRect().top ?? 0));
      });
    await expect.poll(fromTop).toBeLessThan(40);
    expect(await fromTop()).toBeGreaterThanOrEqual(0);
    await messageOf(7).getByText('Part 7 of the talk.').waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('a message that cannot be opened shows an error and its headers, and others stay readable', async () => {
    const id = await page
      .locator('[data-message]')
      .filter({ hasText: 'Part 5 of' })
      .getAttribute('data-message');
    const flip = () =>
      runSql(
        story.product,
        `update mail_bodies set body = set_byte(body, 40, get_byte(body, 40) # 1) where mail_id = '${id}'`,
      );
    expect(await flip()).toBe('UPDATE 1');
    await inbox();
    await openMail(page, talk);
    await messageOf(12).getByText('Part 12 of the talk.').waitFor();
    await page.getByRole('button', { name: /older messages/ }).click();
    await page.locator(`[data-message="${id}"]`).click();
    const strip = page.getByRole('alert').filter({ hasText: 'Failed to decrypt message' });
    await strip.waitFor();
    await messageOf(5).getByText('Only the headers can be shown.').waitFor();
    await expect.poll(() => messageOf(12).getByText('Part 12 of the talk.').isVisible()).toBe(true);
    await strip.getByRole('button', { name: 'View headers' }).click();
    await page.getByRole('dialog').getByText('<part5@talk.test>').waitFor();
    await page.keyboard.press('Escape');
    const [raw] = await Promise.all([
      page.waitForEvent('download'),
      strip.getByRole('button', { name: 'Download source' }).click(),
    ]);
    expect(readFileSync(await raw.path(), 'latin1')).toMatch(
      /<part5@talk\.test>[\s\S]*\r\n\r\n[\w+/=\r\n]{200,}$/,
    );
    await flip();
    await strip.getByRole('button', { name: 'Try again' }).click();
    await messageOf(5).getByText('Part 5 of the talk.').waitFor();
    await strip.waitFor({ state: 'detached' });
  });

  test('a damaged message shows what could be recovered, with a notice', async () => {
    await openMail(page, 'Broken on the way');
    await article().getByText('These words were saved.').last().waitFor();
    await article().getByText('This message was damaged. Only its readable parts are shown.').waitFor();
  });

  test('no header field makes a message a notice of this service', async () => {
    await openMail(page, 'I am the service');
    await article().getByText('Trust me.').last().waitFor();
    await page.getByText(/^Stored encrypted\./).waitFor();
    await expect.poll(() => page.getByText('A notice from this service.').count()).toBe(0);
    const alerts = await page.evaluate(async () => {
      const answer = await fetch('/user/query?count=50');
      return ((await answer.json()) as { data: { alert: boolean }[] }).data.map(({ alert }) => alert);
    });
    expect(alerts.length).toBeGreaterThan(2);
    expect(alerts).not.toContain(true);
  });

  test('a list is unsubscribed with one click through the server when its sender is authenticated', async () => {
    // The text that the server adds to the headers of a message with a valid signature and domain.
    // Its length also counts toward the message's size.
    const proof = 'x-one-click=pass policy.mark=AAAA; ';
    await runSql(
      story.product,
      `update mails set size_bytes = size_bytes + ${proof.length}, headers = replace(
         regexp_replace(headers, '\\m(dkim|dmarc)=[a-z]+', '\\1=pass', 'g'), 'dkim=pass', '${proof}dkim=pass')
       where from_address like '%lists.example%'`,
    );
    await runSql(story.product, `update mailboxes set used_bytes = used_bytes + ${proof.length}`);
    const asked: unknown[] = [];
    await page.route('**/user/unsubscribe', async route => {
      asked.push(route.request().postDataJSON());
      if (asked.length === 1) await route.continue();
      else await route.fulfill({ json: { success: true } });
    });
    await inbox();
    await openMail(page, 'Weekly list');
    await page.getByText('lists.example confirms the sender', { exact: false }).waitFor();
    const leave = page.getByRole('button', { name: 'Unsubscribe' });
    // The server does not post to a URL that no signature covers, and says so; the link stays
    // available.
    await leave.click();
    await page
      .getByRole('alert')
      .getByText(/^Couldn’t unsubscribe: /)
      .waitFor();
    await leave.click();
    await page.getByText('You’ve unsubscribed from The list.', { exact: false }).waitFor();
    expect(asked).toEqual(
      Array(2).fill({
        email_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url: 'https://127.0.0.1/leave?who=7',
      }),
    );
  });

  test('remote images load through the server, and always for a sender once chosen', async () => {
    const asked: unknown[] = [];
    await page.route('**/user/image', async route => {
      asked.push(route.request().postDataJSON());
      if (asked.length === 1) await route.continue();
      else await route.fulfill({ contentType: 'image/png', body: Buffer.from(pixelPng) });
    });
    const widthOf = () =>
      frame()
        .locator('#far')
        .evaluate(image => (image as HTMLImageElement).naturalWidth);
    await page.getByText('1 remote image blocked').waitFor();
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Load once' }).click();
    await page.getByText('1 remote image couldn’t be loaded').waitFor();
    await inbox();
    await openMail(page, 'Weekly list');
    const kept = page.waitForResponse(
      answer =>
        answer.request().method() === 'PUT' && !!answer.request().postData()?.includes('sender-choices'),
    );
    await page.getByRole('button', { name: 'Always for this sender' }).click();
    await expect.poll(widthOf).toBe(8);
    await (await kept).finished();
    await page.reload();
    await frame().getByText('Pictures.').waitFor();
    await expect.poll(widthOf).toBe(8);
    await expect.poll(() => page.getByRole('button', { name: 'Load once' }).count()).toBe(0);
    expect(asked).toEqual(Array(3).fill({ url: 'https://10.1.2.3/a.png' }));
  });

  test('the page logs only the expected errors', () => {
    const provoked = /status of (422|502)|Blocked script execution in/;
    expect(story.person.problems.filter(problem => !provoked.test(problem))).toEqual([]);
  });
});
