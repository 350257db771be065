import { randomBytes, randomUUID } from 'node:crypto';
import { readInvitation } from '@keyfold/mail/ics/invitation';
import { parseMessage } from '@keyfold/mail/mime/parse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { openMail } from '../../../../tests/harness/sending.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import {
  EVENT_ANSWER_CHANGES_MAX,
  EVENT_GUESTS_MAX,
  EVENT_GUESTS_PER_USER_MAX,
} from '../../../base/limits.ts';
import { removeExpiredRows } from '../../operator/retention/jobs.ts';

let app: TestApp;
let clock: TestClock;
let ada: TestUser;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
  ada = await registerTestUser(app);
});
afterAll(() => app.close());

const guest = 'guest@outside.example';
const newEvent = (): string => `${randomUUID()}@keyfold.test`;

const invite = async (eventId: string, sequence = 0, attendees: string[] = [guest]): Promise<string[]> =>
  (
    await ada.client.calendar.tokens({ event_id: eventId, sequence, organizer: ada.email, attendees })
  ).data.map(({ token }) => token);

const answer = (eventId: string, token: string, response: 'accepted' | 'declined' | 'tentative') =>
  app.client().calendar.emailrsvp({ event_id: eventId, token, response });

const mailsOf = async (user: TestUser) => (await user.client.mail.query({})).data;

test('a response reaches the organizer as a sealed reply that calendars can read', async () => {
  const eventId = newEvent();
  const [token = ''] = await invite(eventId, 2);
  expect((await answer(eventId, token, 'accepted')).data).toEqual({
    event_id: eventId,
    attendee: guest,
    sequence: 2,
    response: 'accepted',
  });
  const [mail] = await mailsOf(ada);
  if (mail === undefined) throw new Error('no mail');
  const { data: whole } = await ada.client.mail.one({ id: mail.id });
  const raw = await openMail(ada, whole);
  expect(whole.body).not.toContain(guest);
  const { attachments, subject, from } = await parseMessage(new TextEncoder().encode(raw));
  expect({ subject, from: from?.address }).toEqual({ subject: 'Accepted: your invitation', from: guest });
  const invitation = readInvitation(attachments[0]?.content ?? new Uint8Array(0), {
    now: clock.now(),
    zone: 'UTC',
  });
  expect(invitation).toMatchObject({
    method: 'REPLY',
    hasTime: false,
    uid: eventId,
    sequence: 2,
    organizer: { address: ada.email },
    guests: [{ address: guest, answer: 'ACCEPTED' }],
  });
  // The database contains nothing readable about the event or the guest.
  const rows = await app.deps.db.selectFrom('event_answers').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(eventId);
  expect(JSON.stringify(rows)).not.toContain(guest);
});

test('a repeated response is ignored, a changed one is delivered, and their number is limited', async () => {
  const eventId = newEvent();
  const [token = ''] = await invite(eventId);
  const before = (await mailsOf(ada)).length;
  await Promise.all([1, 2, 3].map(() => answer(eventId, token, 'accepted')));
  expect(await mailsOf(ada)).toHaveLength(before + 1);
  await answer(eventId, token, 'declined');
  expect(await mailsOf(ada)).toHaveLength(before + 2);
  for (let changes = 2; changes < EVENT_ANSWER_CHANGES_MAX; changes++)
    await answer(eventId, token, changes % 2 === 0 ? 'accepted' : 'declined');
  expect(await codeOf(answer(eventId, token, 'tentative'))).toBe('422 rsvp_refused');
});

test('a token that is damaged, expired, or for another event or an older sequence is refused', async () => {
  const eventId = newEvent();
  const [token = ''] = await invite(eventId);
  const [other = ''] = await invite(newEvent());
  const flipped = `${token.slice(0, 50)}${token[50] === 'A' ? 'B' : 'A'}${token.slice(51)}`;
  for (const wrong of [other, flipped, token.slice(0, -4), 'A'.repeat(64)])
    expect(await codeOf(answer(eventId, wrong, 'accepted'))).toBe('422 rsvp_refused');
  const [newer = ''] = await invite(eventId, 1);
  expect(await codeOf(answer(eventId, token, 'accepted'))).toBe('422 rsvp_refused');
  expect((await answer(eventId, newer, 'accepted')).data.sequence).toBe(1);
  // A guest who was dropped from the update cannot answer the old version either.
  const third = newEvent();
  const [, left = ''] = await invite(third, 0, [guest, 'second@outside.example']);
  await invite(third, 1, [guest]);
  expect(await codeOf(answer(third, left, 'accepted'))).toBe('422 rsvp_refused');
  clock.advance(400 * 86_400_000);
  expect(await codeOf(answer(eventId, newer, 'declined'))).toBe('422 rsvp_refused');
  expect((await removeExpiredRows(app.deps)).event_answers).toBeGreaterThan(0);
});

test('tokens are issued only for the user’s own events, and organizers sharing a UID stay separate', async () => {
  // The previous test advanced the clock, so its sessions have expired.
  const carl = await registerTestUser(app);
  const dora = await registerTestUser(app);
  const eventId = newEvent();
  const asked = { event_id: eventId, sequence: 0, attendees: [guest] };
  expect(await codeOf(carl.client.calendar.tokens({ ...asked, organizer: dora.email }))).toBe(
    '403 sender_refused',
  );
  expect(await codeOf(app.client().calendar.tokens({ ...asked, organizer: dora.email }))).toBe(
    '401 not_logged_in',
  );
  const { data } = await carl.client.calendar.tokens({ ...asked, organizer: carl.email });
  await dora.client.calendar.tokens({ ...asked, sequence: 9, organizer: dora.email });
  expect((await answer(eventId, data[0]?.token ?? '', 'accepted')).data.attendee).toBe(guest);
  expect(await mailsOf(carl)).toHaveLength(1);
  expect(await mailsOf(dora)).toHaveLength(0);
});

test('guests per event and per user are limited, and earlier invitations stay answerable', async () => {
  const many = (from: number, count = 200) =>
    Array.from({ length: count }, (_, index) => `guest-${from + index}@outside.example`);
  const eve = await registerTestUser(app);
  const invite = async (event: string, attendees: string[]): Promise<string[]> =>
    (
      await eve.client.calendar.tokens({
        event_id: event,
        sequence: 0,
        organizer: eve.email,
        attendees,
      })
    ).data.map(({ token }) => token);
  const eventId = newEvent();
  const [token = ''] = await invite(eventId, many(0));
  const calls = Array.from({ length: EVENT_GUESTS_MAX / 200 + 1 }, (_, call) =>
    invite(eventId, many(200 * (call + 1))),
  );
  const codes = await Promise.all(calls.map(codeOf));
  // Even concurrent requests accept exactly as many guests as the limit allows.
  expect(codes.filter(code => code === '422 limit_reached')).toHaveLength(2);
  expect(await codeOf(invite(eventId, ['one-more@outside.example']))).toBe('422 limit_reached');
  expect(await codeOf(invite(eventId, many(0)))).toBe('none');
  expect(await codeOf(answer(eventId, token, 'accepted'))).toBe('none');

  const { user_id } = await app.db
    .selectFrom('addresses')
    .select('user_id')
    .where('address', '=', eve.email)
    .executeTakeFirstOrThrow();
  const rows = await app.db
    .selectFrom('event_answers')
    .select('user_id')
    .where('user_id', '=', user_id)
    .execute();
  for (let left = EVENT_GUESTS_PER_USER_MAX - rows.length; left > 0; left -= 5_000)
    await app.db
      .insertInto('event_answers')
      .values(
        Array.from({ length: Math.min(left, 5_000) }, () => ({
          user_id,
          event_digest: randomBytes(32),
          guest_digest: randomBytes(32),
          sequence: 0,
          expires_at: new Date(clock.now().getTime() + 86_400_000),
        })),
      )
      .execute();
  expect(await codeOf(invite(newEvent(), [guest]))).toBe('422 limit_reached');
  expect(await codeOf(answer(eventId, token, 'declined'))).toBe('none');
});
