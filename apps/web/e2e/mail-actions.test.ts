// Actions on mail (docs/spec-map.md 4, docs/interface.md): archive, delete, restore, delete
// permanently, star, read, select, search, filter, by mouse and by key; behavior when the server
// refuses or is unreachable; how new mail appears.
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { conversationToolbar, openFolder, rowTexts, toastWith } from './support/mailbox.ts';
import { sendFromOutside } from './support/outside.ts';
import { awaitMail, rowOf } from './support/people.ts';
import { useStory } from './support/story.ts';

const to = 'alice@keyfold.test';
/** Maximum wait for the search index to open or to add new mail. */
const INDEX_MS = 15_000;
const subjects = ['Ash', 'Birch', 'Cedar', 'Dogwood', 'Elm'].map(tree => `About the ${tree}`);
const [ash, birch, cedar, dogwood, elm] = subjects as [string, string, string, string, string];

describe.skipIf(chromiumPath === null)('actions on mail (needs Chromium)', () => {
  const story = useStory();
  let page: Page;

  const folder = (word: string) => openFolder(page, story.product.baseUrl, word);
  const shownSubjects = () => rowTexts(page, /About the [A-Z][a-z]+|A talk|Fresh [a-z]+/);
  const open = (subject: string) => rowOf(page, subject).getByRole('link').first().click();
  const toast = (text: string | RegExp) => toastWith(page, text);
  const toolbar = () => conversationToolbar(page);
  /**
   * Performs a change to mail and waits until the server has it, because leaving the page earlier
   * would abort the request.
   */
  const answered = async (call: string, doing: Promise<void>) => {
    const answer = page.waitForResponse(`**/user/${call}`);
    await doing;
    await (await answer).finished();
  };
  const subjectShown = () => page.getByRole('article').getByRole('heading', { level: 2 });

  beforeAll(async () => {
    ({ page } = story);
    await sendFromOutside(
      story.product.smtpPort,
      ...subjects.map((subject, index) => ({
        to,
        subject,
        text: `A letter, ${subject}.`,
        from: { name: `Forester ${subject.split(' ').at(-1)}`, address: `forester${index}@woods.test` },
        ...(subject === cedar
          ? { file: { name: 'cedar.txt', type: 'text/plain', bytes: new TextEncoder().encode('wood') } }
          : {}),
      })),
      { to, subject: 'A talk', text: 'First words.', fields: ['Message-ID: <talk1@woods.test>'] },
      {
        to,
        subject: 'Re: A talk',
        text: 'Second words.',
        fields: [
          'Message-ID: <talk2@woods.test>',
          'In-Reply-To: <talk1@woods.test>',
          'References: <talk1@woods.test>',
        ],
      },
      {
        to,
        subject: 'Re: A talk',
        text: 'Third words.',
        fields: [
          'Message-ID: <talk3@woods.test>',
          'In-Reply-To: <talk2@woods.test>',
          'References: <talk1@woods.test> <talk2@woods.test>',
        ],
      },
    );
    await awaitMail(page, 'A talk');
  });

  beforeEach(async () => {
    await story.person.context.setOffline(false);
    await folder('recieved');
  });

  test('new mail is bold and counted, replies share one row, and the reader shows all of them', async () => {
    await expect.poll(() => shownSubjects()).toEqual(['A talk', elm, dogwood, cedar, birch, ash]);
    await expect.poll(() => page.title()).toBe('(8) Keyfold');
    // The sidebar and the list header show the same number and what it counts.
    await page.getByRole('link', { name: /^Inbox ?, 8 unread$/ }).waitFor();
    await page.getByRole('region', { name: 'Inbox' }).getByText('8 unread', { exact: true }).waitFor();
    const row = rowOf(page, 'A talk');
    await expect.poll(() => row.getByRole('link').first().textContent()).toMatch(/^Unread\. .*3 messages/);
    await open('A talk');
    for (const words of ['First words.', 'Second words.', 'Third words.'])
      await page.getByRole('article').getByText(words).first().waitFor();
    await expect.poll(() => row.getByRole('link').first().textContent()).not.toMatch(/^Unread/);
    await expect.poll(() => page.title()).toBe('(5) Keyfold');
    await folder('recieved');
    await open('A talk');
    await page.getByRole('article').getByText('Third words.').waitFor();
    // Read messages are now collapsed to one line each.
    const closed = page.locator('[data-message][aria-expanded=false]');
    await expect.poll(() => closed.count()).toBe(2);
    await closed.first().click();
    await page.getByLabel('Message from Olga Outside').getByText('First words.').waitFor();
  });

  test('Archive removes the row at once and opens the next, and Undo restores it', async () => {
    await open(cedar);
    await page.getByText(`A letter, ${cedar}.`).last().waitFor();
    await toolbar().getByRole('button', { name: 'Archive' }).click();
    await toast('Conversation archived').waitFor();
    await expect.poll(() => shownSubjects()).not.toContain(cedar);
    await expect.poll(() => subjectShown().textContent()).toBe(birch);
    await page.getByRole('button', { name: 'Undo' }).click();
    await rowOf(page, cedar).waitFor();
    await expect.poll(() => shownSubjects()).toEqual(['A talk', elm, dogwood, cedar, birch, ash]);
    await page.mouse.move(5, 5);
  });

  test('an action’s toast stays ten seconds, and z undoes the action even afterwards', async () => {
    await rowOf(page, birch).hover();
    await rowOf(page, birch).getByRole('button', { name: 'Archive' }).click();
    await toast('Conversation archived').waitFor();
    const shownAt = Date.now();
    await page.mouse.move(5, 5);
    await toast('Conversation archived').waitFor({ state: 'detached' });
    const shownMs = Date.now() - shownAt;
    expect(shownMs).toBeGreaterThan(9_000);
    expect(shownMs).toBeLessThan(12_000);
    await expect.poll(() => shownSubjects()).not.toContain(birch);
    await page.keyboard.press('z');
    await rowOf(page, birch).waitFor();
  });

  test('a whole conversation is archived and unarchived', async () => {
    await open('A talk');
    await answered('archive', toolbar().getByRole('button', { name: 'Archive' }).click());
    await toast('Conversation archived').waitFor();
    await folder('archived');
    await rowOf(page, 'A talk').waitFor();
    await expect
      .poll(() => rowOf(page, 'A talk').getByRole('link').first().textContent())
      .toMatch(/3 messages/);
    await open('A talk');
    await page.getByText('Third words.').last().waitFor();
    await answered(
      'archive',
      toolbar()
        .getByRole('button', { name: /Archive|Inbox/ })
        .click(),
    );
    await toast('Conversation moved to Inbox').waitFor();
    await folder('recieved');
    await rowOf(page, 'A talk').waitFor();
  });

  test('deleted mail shows its days left, can be restored, and needs a confirmation to delete permanently', async () => {
    await open(dogwood);
    await answered('delete', toolbar().getByRole('button', { name: 'Delete' }).click());
    await toast('Conversation deleted').waitFor();
    await folder('deleted');
    await rowOf(page, dogwood).getByText('30 days left').first().waitFor();
    await open(dogwood);
    await page.getByText('This message is in Deleted. It will be deleted permanently in 30 days.').waitFor();
    await answered('restore', page.getByRole('article').getByRole('button', { name: 'Restore' }).click());
    await toast('Conversation restored').waitFor();
    await folder('recieved');
    await rowOf(page, dogwood).waitFor();

    // The key does the same as the button, in the reader, for a selection and from the palette.
    const deleteIt = async () => {
      await rowOf(page, dogwood).hover();
      await answered('delete', rowOf(page, dogwood).getByRole('button', { name: 'Delete' }).click());
      await toast('Conversation deleted').waitFor();
      await folder('deleted');
    };
    const isBack = async () => {
      await toast('Conversation restored').waitFor();
      await folder('recieved');
      await rowOf(page, dogwood).waitFor();
    };
    await deleteIt();
    await open(dogwood);
    await subjectShown().waitFor();
    await answered('restore', page.keyboard.press('e'));
    await isBack();
    await deleteIt();
    await rowOf(page, dogwood).hover();
    await rowOf(page, dogwood).getByRole('checkbox').click();
    const selected = page.getByRole('toolbar', { name: 'Selected messages' });
    await selected.getByRole('button', { name: 'Restore' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Restore');
    const entry = page.getByRole('option', { name: /^Restore/ });
    await entry.waitFor();
    expect(await page.getByRole('option', { name: /spam/i }).count()).toBe(0);
    await answered('restore', entry.click());
    await isBack();

    await rowOf(page, dogwood).hover();
    await answered('delete', rowOf(page, dogwood).getByRole('button', { name: 'Delete' }).click());
    await toast('Conversation deleted').waitFor();
    await folder('deleted');
    await open(dogwood);
    await toolbar().getByRole('button', { name: 'Delete permanently' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete 1 message permanently?' });
    await question.waitFor();
    await expect
      .poll(() =>
        question.getByRole('button', { name: 'Cancel' }).evaluate(one => one === document.activeElement),
      )
      .toBe(true);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await rowOf(page, dogwood).waitFor();
    await toolbar().getByRole('button', { name: 'Delete permanently' }).click();
    await question.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByText('No deleted messages').waitFor();
    await folder('all');
    await expect.poll(() => shownSubjects()).not.toContain(dogwood);
  });

  test('star and read states are the same in list and reader at once', async () => {
    await open(ash);
    await page.getByText(`A letter, ${ash}.`).last().waitFor();
    const inRow = rowOf(page, ash).getByRole('button', { name: 'Star' });
    const inReader = toolbar().getByRole('button', { name: 'Star' });
    const pressed = async () => [
      await inRow.getAttribute('aria-pressed'),
      await inReader.getAttribute('aria-pressed'),
    ];
    const answered = () => page.waitForResponse('**/user/star');
    await Promise.all([answered(), inReader.click()]);
    await expect.poll(pressed).toEqual(['true', 'true']);
    await Promise.all([answered(), inRow.click()]);
    await expect.poll(pressed).toEqual(['false', 'false']);
    await Promise.all([answered(), page.keyboard.press('s')]);
    await expect.poll(pressed).toEqual(['true', 'true']);
    await toolbar().getByRole('button', { name: 'Mark as unread' }).click();
    await expect.poll(() => rowOf(page, ash).getByRole('link').first().textContent()).toMatch(/^Unread/);
    await folder('starred');
    await rowOf(page, ash).waitFor();
    await expect.poll(() => shownSubjects()).toEqual([ash]);
  });

  test('rows are selected singly, by range and all at once, and changed together', async () => {
    const box = (subject: string) => rowOf(page, subject).getByRole('checkbox');
    await rowOf(page, elm).hover();
    await box(elm).click();
    await page.getByRole('heading', { name: '1 selected' }).waitFor();
    await box(birch).click({ modifiers: ['Shift'] });
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('3 selected');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await rowOf(page, elm)
      .getByRole('link')
      .first()
      .click({ modifiers: ['Control'] });
    await rowOf(page, ash)
      .getByRole('link')
      .first()
      .click({ modifiers: ['Shift'] });
    await page.getByRole('heading', { name: '4 selected' }).waitFor();
    await page
      .getByRole('toolbar', { name: 'Selected messages' })
      .getByRole('button', { name: 'Mark as read' })
      .click();
    await expect.poll(() => page.title()).toBe('Keyfold');

    await page.getByRole('heading', { name: 'Inbox' }).hover();
    await page.getByRole('checkbox', { name: 'Select all loaded messages' }).click();
    await page.getByRole('heading', { name: '5 selected' }).waitFor();
    await box(ash).click();
    await page.getByRole('heading', { name: '4 selected' }).waitFor();
    await page
      .getByRole('toolbar', { name: 'Selected messages' })
      .getByRole('button', { name: 'Archive' })
      .click();
    await toast('4 conversations archived').waitFor();
    await expect.poll(() => shownSubjects()).toEqual([ash]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(shownSubjects).toEqual(['A talk', elm, cedar, birch, ash]);
  });

  test('shortcuts move, select, star, archive, delete and compose, but not while typing in a field', async () => {
    await page.keyboard.press('j');
    await expect.poll(() => subjectShown().textContent()).toMatch('A talk');
    await page.keyboard.press('j');
    await expect.poll(() => subjectShown().textContent()).toBe(elm);
    await page.keyboard.press('k');
    await expect.poll(() => subjectShown().textContent()).toMatch('A talk');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('heading', { name: '1 selected' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await toast('Conversation archived').waitFor();
    await expect.poll(shownSubjects).toEqual(['A talk', cedar, birch, ash]);
    // Focus continues where the row was.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('li')?.dataset.index))
      .toBe('1');
    await page.keyboard.press('z');
    await rowOf(page, elm).waitFor();
    await page.keyboard.press('u');
    await page.getByText('No conversation selected').waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type('e#sxz');
    await expect.poll(() => page.getByRole('combobox', { name: 'Search mail' }).inputValue()).toBe('e#sxz');
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    const subject = page.getByRole('textbox', { name: 'Subject' });
    await subject.click();
    await page.keyboard.type('e and # and s');
    await page.getByRole('textbox', { name: 'Message' }).click();
    await page.keyboard.type('jke#sxuc g i');
    await expect.poll(() => subject.inputValue()).toBe('e and # and s');
    await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).innerText()).toBe('jke#sxuc g i');
    await expect.poll(() => shownSubjects()).toEqual(['A talk', elm, cedar, birch, ash]);
    await page.getByRole('button', { name: 'Discard draft' }).click();

    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL('**/app/inbox/starred/0');
    await page.getByRole('heading', { name: 'Starred', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.waitForURL('**/app/inbox/recieved/0');
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await rowOf(page, elm).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(() => subjectShown().textContent()).toBe(elm);
    const deleted = page.waitForResponse('**/user/delete');
    await page.keyboard.press('#');
    await toast('Conversation deleted').waitFor();
    expect((await deleted).status()).toBe(200);
    const restored = page.waitForResponse('**/user/restore');
    await page.keyboard.press('z');
    await rowOf(page, elm).waitFor();
    expect((await restored).status()).toBe(200);
  });

  test('filters and search narrow the list, say when nothing matches, and can be cleared', async () => {
    const choose = async (name: string) => {
      await page.getByRole('button', { name: /^Filter/ }).click();
      await page.getByRole('menuitemcheckbox', { name }).click();
    };
    await choose('Has attachment');
    await expect.poll(shownSubjects).toEqual([cedar]);
    await choose('Starred');
    await expect.poll(shownSubjects).toEqual([ash]);
    await choose('Unread');
    await page.getByText('No mail matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(async () => (await shownSubjects()).length).toBe(5);
    const search = page.getByRole('combobox', { name: 'Search mail' });
    await search.fill('Forester Birch');
    await search.press('Enter');
    await expect.poll(shownSubjects, { timeout: INDEX_MS }).toEqual([birch]);
    expect(page.url()).toContain('q=Forester');
    await page.reload();
    await expect.poll(shownSubjects, { timeout: INDEX_MS }).toEqual([birch]);
    await search.fill('Nobody at all');
    await search.press('Enter');
    await page.getByText('No mail matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(async () => (await shownSubjects()).length).toBe(5);
    await expect.poll(() => search.inputValue()).toBe('');
  });

  test.each([
    ['refuses', 'Something failed'],
    ['is not there', 'Failed to connect to the server'],
  ])('when the server %s, the row returns with an error message', async (kind, words) => {
    await page.route('**/user/archive', route =>
      kind === 'refuses'
        ? route.fulfill({
            status: 500,
            json: { success: false, message: 'Something failed', code: 'internal' },
          })
        : route.abort(),
    );
    await rowOf(page, birch).hover();
    await rowOf(page, birch).getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('alert').getByText(words).waitFor();
    await rowOf(page, birch).waitFor();
    await expect.poll(() => shownSubjects()).toEqual(['A talk', elm, cedar, birch, ash]);
    await page.unroute('**/user/archive');
  });

  test('a second click during a running action is rejected', async () => {
    const gate = Promise.withResolvers<void>();
    await page.route('**/user/star', async route => {
      await gate.promise;
      await route.continue();
    });
    const star = rowOf(page, birch).getByRole('button', { name: 'Star' });
    const answer = page.waitForResponse('**/user/star');
    await star.click();
    await star.click();
    await page.getByRole('alert').getByText('Star already in progress').waitFor();
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
    gate.resolve();
    await (await answer).finished();
    await page.unroute('**/user/star');
    await page.waitForTimeout(200);
    await star.click();
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('false');
  });

  test('a message whose body cannot be loaded stays unread until it is shown', async () => {
    const subject = 'Unseen words';
    await sendFromOutside(story.product.smtpPort, { to, subject, text: 'Words to see.' });
    await awaitMail(page, subject);
    const link = rowOf(page, subject).getByRole('link').first();
    const read: string[] = [];
    page.on('request', request => {
      if (new URL(request.url()).pathname === '/user/read') read.push(request.url());
    });
    await page.route('**/user/email/*', route => route.abort());
    await page.reload();
    await link.click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(read).toEqual([]);
    await expect.poll(() => link.textContent()).toMatch(/^Unread/);
    await page.unroute('**/user/email/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Words to see.').last().waitFor();
    await expect.poll(() => link.textContent()).not.toMatch(/^Unread/);
    expect(read).toHaveLength(1);
    await answered('delete', toolbar().getByRole('button', { name: 'Delete' }).click());
  });

  test('offline changes are queued and counted, and sent when the connection returns', async () => {
    await story.person.context.setOffline(true);
    await page.getByText('Offline', { exact: true }).waitFor();
    await rowOf(page, birch).hover();
    await rowOf(page, birch).getByRole('button', { name: 'Archive' }).click();
    await toast('Conversation archived').waitFor();
    await page.getByText('Offline, 1 change waiting').waitFor();
    await rowOf(page, cedar).getByRole('button', { name: 'Star' }).click();
    await page.getByText('Offline, 2 changes waiting').waitFor();
    await expect.poll(() => shownSubjects()).toEqual(['A talk', elm, cedar, ash]);
    const sent = Promise.all(['archive', 'star'].map(call => page.waitForResponse(`**/user/${call}`)));
    await story.person.context.setOffline(false);
    await page.getByText(/^Offline/).waitFor({ state: 'detached' });
    await sent;
    await folder('archived');
    await rowOf(page, birch).waitFor();
    await folder('starred');
    await rowOf(page, cedar).waitFor();
  });

  test('new mail appears by itself and is announced', async () => {
    await page.evaluate(() => {
      Object.assign(globalThis, { news: [] });
      addEventListener('newEmailsReceived', event =>
        (globalThis as unknown as { news: unknown[] }).news.push((event as CustomEvent).detail),
      );
    });
    await sendFromOutside(story.product.smtpPort, {
      to,
      subject: 'Fresh leaves',
      text: 'Green.',
      fields: ['Message-ID: <fresh1@woods.test>'],
    });
    // Announced by an event; polling alone would take half a minute.
    await rowOf(page, 'Fresh leaves').waitFor({ timeout: 15_000 });
    expect(await page.evaluate(() => (globalThis as unknown as { news: { count: number }[] }).news)).toEqual([
      { count: 1 },
    ]);
    await page.getByRole('status').getByText('1 new message').waitFor({ state: 'attached' });
    await expect.poll(() => page.title()).toBe('(1) Keyfold');
    // A reply arrives in the open conversation: its row stays the open one, and keyboard navigation
    // continues from there.
    await open('Fresh leaves');
    await page.getByRole('article').getByText('Green.').waitFor();
    await sendFromOutside(story.product.smtpPort, {
      to,
      subject: 'Re: Fresh leaves',
      text: 'Greener.',
      fields: ['Message-ID: <fresh2@woods.test>', 'In-Reply-To: <fresh1@woods.test>'],
    });
    const link = rowOf(page, 'Fresh leaves').getByRole('link').first();
    await expect.poll(() => link.textContent(), { timeout: 15_000 }).toMatch(/2 messages/);
    await expect.poll(() => link.getAttribute('aria-current')).toBe('true');
    await page.keyboard.press('j');
    await expect.poll(() => subjectShown().textContent()).not.toContain('Fresh leaves');
  });

  test('an idle tab polls for new mail about every 30 seconds', async () => {
    await page.clock.install();
    await page.reload();
    await rowOf(page, elm).waitFor();
    const asked = page.waitForRequest('**/user/check_new*');
    await page.clock.runFor(34_000);
    await asked;
  });

  test('the page logs only the expected errors', () => {
    // A permanently deleted message is shown from its row while it is still being requested; the
    // server then no longer has it.
    const provoked = /status of 500|status of 404 .*\/user\/email\/|ERR_FAILED|ERR_INTERNET_DISCONNECTED/;
    expect(story.person.problems.filter(problem => !provoked.test(problem))).toEqual([]);
  });
});
