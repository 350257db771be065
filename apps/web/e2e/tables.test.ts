// Tables pasted into a message from Word, Excel, Google Sheets and LibreOffice stay tables, in the
// editor, in the draft and in the sent message; long ones stay responsive.
import { parseMessage } from '@keyfold/mail/mime/parse';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { copiedTables } from './support/copied-tables.ts';
import { openFolder } from './support/mailbox.ts';
import { rowOf, startDraft } from './support/people.ts';
import { useCorrespondence } from './support/story.ts';

describe.skipIf(chromiumPath === null)('pasted tables (needs Chromium)', () => {
  const story = useCorrespondence();
  let page: Page;
  const message = () => page.getByRole('textbox', { name: 'Message' });
  const saved = () => page.getByText(/Draft saved/).waitFor();
  const paste = (html: string, text = 'x') =>
    message().evaluate(
      (field, [asHtml, asText]) => {
        const transfer = new DataTransfer();
        transfer.setData('text/html', asHtml);
        transfer.setData('text/plain', asText);
        field.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }),
        );
      },
      [html, text] as const,
    );
  /** Returns rows of cells with their spans, as the editor shows them. */
  const shown = () =>
    message()
      .locator('table')
      .evaluateAll(tables =>
        tables.map(table =>
          [...(table as HTMLTableElement).rows].map(row =>
            [...row.cells].map(({ colSpan, rowSpan, textContent }) =>
              `${textContent}${colSpan > 1 ? ` c${colSpan}` : ''}${rowSpan > 1 ? ` r${rowSpan}` : ''}`.trim(),
            ),
          ),
        ),
      );
  const begin = async (subject: string) => {
    await startDraft(page, 'olga@outside.test', 'plain');
    await page.getByRole('textbox', { name: 'Subject' }).fill(subject);
    await message().click();
  };
  const discard = async () => {
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await message().waitFor({ state: 'detached' });
  };
  const arrived = async (subject: string) => {
    const found = () => story.sink.messages.find(({ raw }) => raw.toString().includes(`Subject: ${subject}`));
    await expect.poll(() => found() !== undefined).toBe(true);
    return parseMessage(found()?.raw ?? Buffer.alloc(0));
  };

  beforeAll(() => {
    page = story.alice.page;
  });
  afterEach(async () => {
    while ((await page.getByRole('button', { name: 'Discard draft' }).count()) > 0)
      await page.getByRole('button', { name: 'Discard draft' }).first().click();
  });

  test('stay tables in the editor, from every supported program', async () => {
    for (const [program, html] of Object.entries(copiedTables)) {
      await begin(program);
      await paste(html);
      const value = program === 'word' ? 'Bold' : '12.50';
      const last = program === 'word' ? '' : 'Bold';
      await expect.poll(shown).toEqual([[['Heading over both c2'], ['Tall r2', value], [last]]]);
      await page.keyboard.type('After it');
      expect(await message().locator('> p').last().textContent()).toBe('After it');
      expect(await message().locator('table strong').count()).toBe(program === 'excel' ? 0 : 1);
      await discard();
    }
  });

  test('return with the draft, and are sent with borders in HTML and as columns in plain text', async () => {
    await begin('Two by two');
    await paste(
      '<p><b>Fett</b></p><table border=1><tr><td>A1</td><td>B1</td></tr><tr><td>A2</td><td>B2</td></tr></table>',
    );
    await expect.poll(shown).toEqual([
      [
        ['A1', 'B1'],
        ['A2', 'B2'],
      ],
    ]);
    await saved();
    await page.getByRole('button', { name: 'Save and close' }).click();
    await openFolder(page, story.product.baseUrl, 'drafts');
    await rowOf(page, 'Two by two').getByRole('link').first().click();
    await expect.poll(shown).toEqual([
      [
        ['A1', 'B1'],
        ['A2', 'B2'],
      ],
    ]);

    // Tab moves forward, Shift+Tab moves back, and neither leaves the text.
    await message().getByText('A1').click();
    await page.keyboard.press('End');
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.keyboard.type('x');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('End');
    await page.keyboard.type('y');
    await expect.poll(shown).toEqual([
      [
        ['A1y', 'B1x'],
        ['A2', 'B2'],
      ],
    ]);

    // Copied cells are pasted into cells.
    await message().getByText('A2').click();
    await paste('<table><tr><td>C1</td><td>D1</td></tr></table>');
    await expect.poll(shown).toEqual([
      [
        ['A1y', 'B1x'],
        ['C1', 'D1'],
      ],
    ]);
    await saved();
    await page
      .getByRole('button', { name: /^Send(?!.*two copies)/ })
      .first()
      .click();
    const mail = await arrived('Two by two');
    expect(mail.text).toContain('A1y  B1x\nC1   D1');
    expect(mail.html).toMatch(/<td[^>]* style="border:1px solid[^"]*"[^>]*>C1<\/td>/);
    await page.goto(`${story.product.baseUrl}/app/inbox/recieved/0`);
  });

  test('become lines when they only serve layout', async () => {
    await begin('Layout');
    await paste(
      '<table role="presentation"><tr><td>One</td><td>Two</td></tr></table>' +
        '<table><tr><td><table><tr><td>Three</td></tr></table></td></tr></table>',
    );
    await expect.poll(() => message().locator('p').allTextContents()).toEqual(['One', 'Two', 'Three']);
    expect(await message().locator('table').count()).toBe(0);
    await discard();
  });

  test('stay editable with hundreds of rows', async () => {
    await begin('Long');
    const rows = Array.from(
      { length: 400 },
      (_, row) =>
        `<tr>${Array.from({ length: 6 }, (_two, column) => `<td>${row}.${column}</td>`).join('')}</tr>`,
    );
    await paste(`<table>${rows.join('')}</table>`);
    await message().getByText('399.5', { exact: true }).waitFor({ state: 'attached' });
    await saved();
    await message().getByText('0.0', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(' cell');
    await message().getByText('0.0 cell', { exact: true }).waitFor();
    await discard();
  });
});
