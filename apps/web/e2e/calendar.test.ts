// Invitations end to end (docs/acceptance.md 43, 44): an external invitation is answered and the
// outside receives a correct REPLY; updates, cancellations and broken data are labeled as such; an
// invitation between two local users is answered by its token; a guest without an account answers
// by the link; the organizer sees who is attending.
import type { Product } from '@keyfold/testing/product';
import { type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { awaitCalendarMail, inviteFromOutside, readIcs } from './support/invitations.ts';
import { addRecipient, openMail, rowOf, startDraft } from './support/people.ts';
import { startProduct } from './support/story.ts';

const ada = 'Ada Organizer <ada@calendar.test>';
const to = 'bob@keyfold.test';
const inDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');

const dinner = (lines: readonly string[] = []): string[] => [
  'UID:dinner-1@calendar.test',
  'DTSTAMP:20260101T000000Z',
  `DTSTART;TZID=W. Europe Standard Time:${inDays(9)}T200000`,
  `DTEND;TZID=W. Europe Standard Time:${inDays(9)}T220000`,
  'SUMMARY:Dinner at the harbour',
  'LOCATION:Cais do Sodré\\, Lisbon',
  'DESCRIPTION:Bring <b>nothing</b>.',
  'ORGANIZER;CN=Ada Organizer:mailto:ada@calendar.test',
  'ATTENDEE;CN=Bob Brandt;RSVP=TRUE:mailto:bob@keyfold.test',
  'ATTENDEE;CN=Eve;PARTSTAT=ACCEPTED:mailto:eve@calendar.test',
  ...lines,
];

describe.skipIf(chromiumPath === null)('calendar invitations (needs Chromium)', () => {
  let product: Product;
  let sink: SmtpSink;
  let browser: Browser;
  let bob: Person;
  let cara: Person;
  let page: Page;

  const card = (within: Page = page) => within.getByRole('region', { name: 'Calendar invitation' });
  const pressed = (name: string, within: Page = page) =>
    card(within).getByRole('button', { name, exact: true, pressed: true });
  const defectsOf = (there: Page, within: string): Promise<string[]> =>
    findDefects(there, { within, tags: [] });
  const inbox = async (within: Page = page) => {
    await within.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await within.getByRole('button', { name: 'Refresh' }).waitFor();
  };

  beforeAll(async () => {
    sink = await startSmtpSink();
    ({ product, browser } = await startProduct({ SMTP_RELAY: `smtp://127.0.0.1:${sink.port}` }));
    [bob, cara] = await Promise.all([
      openPerson(browser, { timezoneId: 'America/New_York', locale: 'en-GB' }),
      openPerson(browser),
    ]);
    page = bob.page;
    await Promise.all([
      join(bob, product.baseUrl, 'Bob Brandt', 'bob'),
      join(cara, product.baseUrl, 'Cara Castro', 'cara'),
    ]);
    await inviteFromOutside(
      product.smtpPort,
      {
        to,
        from: ada,
        subject: 'Dinner',
        method: 'REQUEST',
        event: dinner(),
        fields: ['Message-ID: <d1@calendar.test>'],
      },
      { to, from: ada, subject: 'Broken one', method: 'REQUEST', ics: 'this is no calendar' },
      {
        to,
        from: ada,
        subject: 'Broken two',
        method: 'REQUEST',
        ics: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR',
      },
      { to, from: ada, subject: 'Broken three', method: 'REQUEST', event: ['UID:b3', 'SUMMARY:Never'] },
      {
        to,
        from: ada,
        subject: 'Bystander',
        method: 'REQUEST',
        event: [
          'UID:other',
          `DTSTART:${inDays(5)}T100000Z`,
          'SUMMARY:Not for Bob',
          'ORGANIZER:mailto:ada@calendar.test',
          'ATTENDEE:mailto:eve@calendar.test',
        ],
      },
    );
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    await sink?.close();
  });

  test('an invitation from outside shows a long US date in the reader’s time zone and hides its file', async () => {
    const row = rowOf(page, 'Dinner');
    await row.waitFor();
    await expect.poll(() => row.innerText()).not.toContain('attachment');
    await openMail(page, 'Dinner');
    await card().getByText('CALENDAR INVITATION').waitFor();
    await card().getByRole('heading', { name: 'Dinner at the harbour' }).waitFor();
    const text = (await card().innerText()).replaceAll('\u202f', ' ');
    expect(text).toMatch(/[A-Z][a-z]+day, [A-Z][a-z]+ \d+, 20\d\d at \d+:00 PM – \d+:00 PM/);
    expect(text).toMatch(/8:00 PM – 10:00 PM in Europe\/Berlin/);
    expect(text).toContain('Cais do Sodré, Lisbon');
    expect(text).toContain('Organized by Ada Organizer');
    expect(text).toContain('Bring nothing.');
    expect(text).toMatch(/2 guests: 1 accepted, 1 awaiting answer/);
    await expect.poll(() => page.getByRole('list', { name: 'Attachments' }).count()).toBe(0);
    await card().locator('summary').click();
    await card().getByText('Eve', { exact: true }).waitFor();
    expect(await defectsOf(page, '[aria-label="Calendar invitation"]')).toEqual([]);
    const saved = page.waitForEvent('download');
    await card().getByRole('button', { name: 'Download .ics' }).click();
    expect((await saved).suggestedFilename()).toMatch(/\.ics$/);
    for (const name of ['Accept', 'Maybe', 'Decline'])
      await card().getByRole('button', { name, exact: true, pressed: false }).waitFor();
  });

  test('a keyboard answer sends a valid REPLY and is kept after a reload', async () => {
    await card().getByRole('button', { name: 'Accept', exact: true }).focus();
    await page.keyboard.press('Enter');
    await pressed('Accept').waitFor();
    await card().getByText('You accepted', { exact: true }).waitFor();
    await expect
      .poll(() => card().getByRole('status').textContent())
      .toBe('You accepted: Dinner at the harbour');
    const { mail, ics, to: recipients } = await awaitCalendarMail(sink, /^Accepted: Dinner/);
    expect(recipients).toEqual(['ada@calendar.test']);
    expect(mail.inReplyTo).toBe('<d1@calendar.test>');
    expect(mail.attachments.find(({ mimeType }) => mimeType === 'text/calendar')?.method).toBe('REPLY');
    expect(readIcs(ics)).toMatchObject({ method: 'REPLY', uid: 'dinner-1@calendar.test', sequence: 0 });
    expect(ics.replaceAll(/\r?\n /g, '').split(/\r?\n/)).toContain(
      'ATTENDEE;PARTSTAT=ACCEPTED;CN="Bob Brandt":mailto:bob@keyfold.test',
    );
    await page.reload();
    await pressed('Accept').waitFor();
    // The conversation contains the user's own reply: one card, and a line for what was sent.
    await page.keyboard.press(';');
    await page.getByRole('article').getByText('Dinner at the harbour').nth(1).waitFor();
    await page.getByRole('article').getByText('You accepted', { exact: true }).nth(1).waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Calendar invitation' }).count()).toBe(1);
  });

  test('an answer that fails shows an error and can be retried', async () => {
    await page.route('**/user/send_private', route =>
      route.fulfill({ status: 503, body: '{"success":false}' }),
    );
    await card().getByRole('button', { name: 'Maybe', exact: true }).click();
    await card().getByRole('alert').getByText('RSVP failed').waitFor();
    await pressed('Accept').waitFor();
    await page.unroute('**/user/send_private');
    await card().getByRole('button', { name: 'Try again' }).click();
    await pressed('Maybe').waitFor();
    expect(readIcs((await awaitCalendarMail(sink, /^Maybe: Dinner/)).ics).guests[0]?.answer).toBe(
      'TENTATIVE',
    );
    // The browser logs the response that this test mocks.
    bob.problems.splice(0, bob.problems.length, ...bob.problems.filter(one => !/status of 503/.test(one)));
  });

  test('an update and a cancellation mark older cards in the conversation', async () => {
    const answering = { fields: ['References: <d1@calendar.test>', 'In-Reply-To: <d1@calendar.test>'] };
    await inviteFromOutside(product.smtpPort, {
      to,
      from: ada,
      subject: 'Dinner, an hour later',
      method: 'REQUEST',
      event: dinner(['SEQUENCE:1']),
      ...answering,
    });
    await inbox();
    await openMail(page, 'Dinner, an hour later');
    await card().last().getByText('This event was updated.').waitFor();
    // A changed event requires a new answer.
    await card().last().getByRole('button', { name: 'Accept', exact: true, pressed: false }).waitFor();
    await page.locator('[data-message][aria-expanded=false]').first().click();
    await card().first().getByText('This invitation is out of date.', { exact: false }).waitFor();
    await expect
      .poll(() => card().first().getByRole('button', { name: 'Accept', exact: true }).count())
      .toBe(0);
    await inviteFromOutside(product.smtpPort, {
      to,
      from: ada,
      subject: 'Dinner is off',
      method: 'CANCEL',
      event: dinner(['SEQUENCE:2', 'STATUS:CANCELLED']),
      ...answering,
    });
    await inbox();
    await openMail(page, 'Dinner is off');
    const last = card().last();
    await last.getByText('This event was canceled.').waitFor();
    await expect
      .poll(() => last.getByRole('heading').evaluate(node => getComputedStyle(node).textDecorationLine))
      .toBe('line-through');
    await expect.poll(() => last.getByRole('group', { name: 'Your answer' }).count()).toBe(0);
  });

  test.each([
    ['Broken one', 'Invalid calendar data.'],
    ['Broken two', 'Event details could not be parsed.'],
    ['Broken three', 'Error parsing event details.'],
  ])('%s shows "%s" and keeps the file', async (subject, words) => {
    await inbox();
    await openMail(page, subject);
    await card().getByText('CALENDAR INVITATION').waitFor();
    await card().getByText(words, { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Attachments' }).getByText(/\.ics/).first().waitFor();
  });

  test('a link to an event opens its message, or the inbox when there is none', async () => {
    await page.goto(`${product.baseUrl}/#/calendar/event/${encodeURIComponent('dinner-1@calendar.test')}`);
    await card().first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/inbox/all/0');
    await page.goto(`${product.baseUrl}/app/event/nothing`);
    await page.waitForURL('**/app/inbox/recieved/0');
  });

  test('a user who is not a guest sees no answer buttons', async () => {
    await inbox();
    await openMail(page, 'Bystander');
    await card().getByText('You’re not on the guest list', { exact: false }).waitFor();
    await expect.poll(() => card().getByRole('group', { name: 'Your answer' }).count()).toBe(0);
  });

  test('the answer to our own invitation is matched by its token, and the organizer sees it', async () => {
    const { page: caras } = cara;
    await startDraft(caras, to, 'sealed');
    await addRecipient(caras, 'gwen@calendar.test', 'plain');
    await caras.getByRole('textbox', { name: 'Subject' }).fill('Planning');
    const form = caras.getByRole('dialog', { name: 'New invitation' });
    const openForm = () => caras.getByRole('button', { name: 'Create invitation', exact: true }).click();
    // A mistyped address at a domain of the service: no invitation is sent until it is corrected.
    const field = caras.getByRole('combobox', { name: 'To: add recipient' });
    await field.fill('gwenn@keyfold.test');
    await field.press('Enter');
    await openForm();
    await form.getByRole('button', { name: 'Send invitation' }).click();
    await form.getByRole('alert').getByText('The address gwenn@keyfold.test doesn’t exist.').waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await caras.getByRole('button', { name: 'Remove gwenn@keyfold.test' }).click();
    await openForm();
    expect(await defectsOf(caras, '[role=dialog]')).toEqual([]);
    await form.getByRole('textbox', { name: 'Location' }).fill('Room 4');
    await form.getByRole('button', { name: 'Send invitation' }).click();
    await form.waitFor({ state: 'detached' });

    await inbox();
    await openMail(page, 'Invitation: Planning');
    // A load balancer's response about a dead node is not an answer; the page retries by itself.
    const answered = page.waitForResponse(
      answer => answer.url().endsWith('/auth/emailrsvp') && answer.status() !== 502,
    );
    await card().getByRole('button', { name: 'Accept', exact: true }).click();
    expect((await answered).status()).toBe(200);
    await pressed('Accept').waitFor();

    // Gwen has no account and opens the link in her own invitation.
    const { mail, ics } = await awaitCalendarMail(sink, /^Invitation: Planning/);
    const link = /https?:\/\/\S+\/app\/rsvp#\S+/.exec(mail.text ?? '')?.[0] ?? '';
    expect(readIcs(ics).guests.map(({ address, token }) => [address, token !== null])).toEqual([
      [to, false],
      ['gwen@calendar.test', true],
    ]);
    const gwen = await openPerson(browser);
    const asked: string[] = [];
    gwen.page.on('request', request => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await gwen.page.goto(link);
    await gwen.page.getByRole('heading', { name: 'Planning' }).waitFor();
    expect(await defectsOf(gwen.page, 'main')).toEqual([]);
    expect(asked.filter(one => one.includes('emailrsvp') || one.includes('/auth/check'))).toEqual([]);
    await gwen.page.getByRole('button', { name: 'Decline', exact: true }).click();
    await gwen.page.getByText('You declined.', { exact: false }).waitFor();
    expect(gwen.problems).toEqual([]);

    await inbox(caras);
    await openMail(caras, 'Declined: your invitation');
    await card(caras).getByText('gwen@calendar.test declined').waitFor();
    await caras.goto(`${product.baseUrl}/app/inbox/sent/0`);
    await openMail(caras, 'Invitation: Planning');
    const own = card(caras)
      .filter({ has: caras.getByRole('button', { name: 'Edit event' }) })
      .first();
    await own.getByText('2 guests: 1 accepted, 1 declined').waitFor();

    // A change asks the guests again with new tokens; the old link no longer works.
    await own.getByRole('button', { name: 'Edit event' }).click();
    const change = caras.getByRole('dialog', { name: 'Edit event' });
    await change.getByRole('textbox', { name: 'Location' }).fill('Room 5');
    await change.getByRole('button', { name: 'Send update' }).click();
    await change.waitFor({ state: 'detached' });
    expect(readIcs((await awaitCalendarMail(sink, /^Changed invitation: Planning/)).ics)).toMatchObject({
      sequence: 1,
      location: 'Room 5',
    });
    const proposal = (subject: string, day: string) => ({
      to: 'cara@keyfold.test',
      from: 'gwen@calendar.test',
      subject,
      method: 'COUNTER',
      event: [
        `UID:${readIcs(ics).uid}`,
        'SEQUENCE:1',
        `DTSTART:${day}T150000Z`,
        `DTEND:${day}T160000Z`,
        'SUMMARY:Planning',
        'ORGANIZER:mailto:cara@keyfold.test',
        'ATTENDEE:mailto:gwen@calendar.test',
      ],
      fields: [`References: <event-${readIcs(ics).uid}>`],
    });
    // A guest proposes a time that does not suit. The guest is notified, and the organizer sees one
    // line.
    await inviteFromOutside(product.smtpPort, proposal('Much later?', inDays(40)));
    await inbox(caras);
    await openMail(caras, 'Much later?');
    await caras.getByText('gwen@calendar.test proposed a new time').waitFor();
    await caras.getByRole('button', { name: 'Keep original time' }).click();
    await caras.getByText('Guest notified that the time stays the same').first().waitFor();
    const refusal = await awaitCalendarMail(sink, /^Proposed time declined: Planning/);
    expect(refusal.to).toEqual(['gwen@calendar.test']);
    expect(readIcs(refusal.ics).method).toBe('DECLINECOUNTER');
    await caras.goto(`${product.baseUrl}/app/inbox/sent/0`);
    await openMail(caras, 'Proposed time declined: Planning');
    await caras.getByRole('article').getByText('You kept the original time', { exact: true }).waitFor();
    await expect.poll(() => caras.getByText('Your proposed time was declined.').count()).toBe(0);

    // The organizer accepts another proposal, and all guests are asked again.
    await inviteFromOutside(product.smtpPort, proposal('Another time?', inDays(20)));
    await inbox(caras);
    await openMail(caras, 'Another time?');
    await caras.getByText('gwen@calendar.test proposed a new time').waitFor();
    await caras.getByRole('button', { name: 'Accept new time' }).click();
    await caras.getByText('Guests notified of the new time').first().waitFor();
    const moved = await awaitCalendarMail(sink, /^Changed invitation: Planning/, text =>
      text.replaceAll(/\r?\n /g, '').includes('SEQUENCE:2'),
    );
    expect(readIcs(moved.ics).start.instant.slice(0, 10).replaceAll('-', '')).toBe(inDays(20));

    const late = await openPerson(browser);
    await late.page.goto(link);
    await late.page.getByRole('button', { name: 'Accept', exact: true }).click();
    await late.page.getByRole('alert').getByText('RSVP failed').waitFor();
  });

  test('the pages log no errors', () => {
    expect([...bob.problems, ...cara.problems]).toEqual([]);
  });
});
