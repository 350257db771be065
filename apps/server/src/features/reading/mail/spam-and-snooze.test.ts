import { SCHEDULE_MAX_DAYS } from '@keyfold/contract/limits';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { makeNewMail, readCounters, type TestMail } from '../../../../tests/harness/mailbox.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { storeMails } from '../../mailbox/messages/index.ts';
import { wakeSnoozedMail } from '../../mailbox/messages/jobs.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let app: TestApp;
let clock: TestClock;
let ann: TestUser;
let bob: TestUser;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
beforeEach(async () => {
  ann = await registerTestUser(app);
  bob = await registerTestUser(app);
});
afterEach(async () => {
  const { kept, recounted } = await readCounters(app.db);
  expect(kept).toEqual(recounted);
});
afterAll(() => app.close());

async function deliverMany(user: TestUser, mails: readonly TestMail[]): Promise<string[]> {
  const userId = await userIdOf(app.db, user);
  const made = mails.map(mail =>
    makeNewMail(userId, { ownAddress: user.email, receivedAt: clock.now(), ...mail }),
  );
  return (await app.db.transaction().execute(trx => storeMails(trx, made))).map(({ id }) => id);
}
const deliver = async (user: TestUser, mail: TestMail = {}): Promise<string> =>
  (await deliverMany(user, [mail]))[0] ?? '';

const one = async ({ client }: TestUser, id: string) => (await client.mail.one({ id })).data;
async function inbox({ client }: TestUser) {
  const filter = {
    sent: false,
    deleted: false,
    draft: false,
    flagged: false,
    archived: false,
    snoozed: false,
  };
  return (await client.mail.query({ ...filter, view: 'summary' })).data.map(mail => mail.id);
}
const inMs = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString();

test('messages are marked as spam or not spam, all or none', async () => {
  const ids = [await deliver(ann), await deliver(ann)];
  const foreign = await deliver(bob);
  expect(await codeOf(ann.client.mail.flag({ email_id: [...ids, foreign], value: true }))).toBe(
    '404 not_found',
  );
  expect((await ann.client.mail.flag({ email_id: ids, value: true })).data.updated).toBe(2);
  expect((await ann.client.mail.counts({})).data.folders.flagged).toEqual({ total: 2, unread: 2 });
  expect((await ann.client.mail.unread_count({})).data.count).toBe(0);
  await ann.client.mail.flag({ email_id: ids[0] ?? '', value: false });
  expect(await inbox(ann)).toEqual([ids[0]]);
});

test('clearing spam moves all spam to Deleted for 30 days, in as many batches as needed, and nothing else', async () => {
  const spam = await deliverMany(
    ann,
    Array.from({ length: 2_300 }, (_, index) => ({ flags: { flagged: true, read: index % 3 === 0 } })),
  );
  const kept = await deliver(ann);
  const foreign = await deliver(bob, { flags: { flagged: true } });
  expect((await ann.client.mail.clear_flagged({})).data.updated).toBe(spam.length);
  expect((await ann.client.mail.clear_flagged({})).data.updated).toBe(0);
  const mail = await one(ann, spam[5] ?? '');
  expect(mail).toMatchObject({ flagged: true, deleted: true, deleted_at: inMs(30 * DAY_MS) });
  expect((await one(ann, kept)).deleted).toBe(false);
  expect((await one(bob, foreign)).deleted).toBe(false);
  expect((await ann.client.mail.counts({})).data.folders).toMatchObject({
    flagged: { total: 0 },
    deleted: { total: spam.length },
  });
});

test('a snoozed message leaves the inbox and returns unread and on top when it is due', async () => {
  const first = await deliver(ann, { flags: { read: true, starred: true } });
  await ann.client.tags.save({ tag: { name: 'later', color: 'mint' } });
  await ann.client.tags.tag_email({ email_id: [first], tags: ['later'] });
  clock.advance(MINUTE_MS);
  const second = await deliver(ann);
  const until = inMs(10 * MINUTE_MS);
  expect((await ann.client.mail.snooze({ email_id: first, until })).data.updated).toBe(1);
  expect(await one(ann, first)).toMatchObject({ snoozed: true, snoozed_until: until, read: true });
  expect(await inbox(ann)).toEqual([second]);
  expect((await ann.client.mail.counts({})).data.folders.snoozed).toEqual({ total: 1, unread: 0 });
  expect(await wakeSnoozedMail(app.deps)).toBe(0);
  const { last_check } = await ann.client.mail.check_new({});
  const received = (await one(ann, first)).received_at;
  // After hours of downtime, due messages return once the service is back, and the elapsed time
  // does not bury them in the list.
  clock.advance(DAY_MS / 2);
  const third = await deliver(ann);
  clock.advance(MINUTE_MS);
  expect(await wakeSnoozedMail(app.deps)).toBe(1);
  expect(await wakeSnoozedMail(app.deps)).toBe(0);
  expect(await one(ann, first)).toMatchObject({
    snoozed: false,
    snoozed_until: null,
    read: false,
    starred: true,
    // Its position changes; its received time does not.
    received_at: received,
  });
  expect(await inbox(ann)).toEqual([first, third, second]);
  expect(
    (await ann.client.mail.query({ tag: ['later'], view: 'summary' })).data.map(mail => mail.id),
  ).toEqual([first]);
  expect(await ann.client.mail.check_new({ last_check })).toMatchObject({ new_email_count: 2 });
});

test('a woken message stays older than its replies, and a second wake keeps the original receive time', async () => {
  const messageId = '<slept@example.org>';
  const first = await deliver(ann, { messageId, receivedAt: clock.now() });
  clock.advance(MINUTE_MS);
  const answer = await deliver(ann, {
    references: [messageId],
    receivedAt: clock.now(),
    flags: { sent: true },
  });
  const times = async () =>
    (await ann.client.mail.query({ message_id: btoa(messageId), threading: true })).data
      .toSorted((a, b) => a.received_at.localeCompare(b.received_at))
      .map(mail => mail.id);
  const received = (await one(ann, first)).received_at;
  for (let round = 0; round < 2; round++) {
    await ann.client.mail.snooze({ email_id: first, until: inMs(MINUTE_MS) });
    clock.advance(2 * MINUTE_MS);
    expect(await wakeSnoozedMail(app.deps)).toBe(1);
    expect(await times()).toEqual([first, answer]);
    expect((await one(ann, first)).received_at).toBe(received);
    const { data } = await ann.client.mail.ids({});
    expect(data.find(([id]) => id === first)?.[1]).toBe(received);
  }
});

test('several messages wake together in their own mailboxes, once even when two nodes run', async () => {
  const mine = await deliverMany(ann, [{}, {}, {}]);
  const theirs = await deliver(bob);
  await ann.client.mail.snooze({ email_id: mine, until: inMs(MINUTE_MS) });
  await bob.client.mail.snooze({ email_id: theirs, until: inMs(MINUTE_MS) });
  clock.advance(2 * MINUTE_MS);
  const woken = await Promise.all([wakeSnoozedMail(app.deps), wakeSnoozedMail(app.deps)]);
  expect(woken.reduce((sum, count) => sum + count, 0)).toBe(4);
  expect((await inbox(ann)).toSorted()).toEqual(mine.toSorted());
  expect(await inbox(bob)).toEqual([theirs]);
});

test('ending a snooze leaves the message in place, and snoozing again changes the time', async () => {
  const older = await deliver(ann, { flags: { read: true } });
  clock.advance(MINUTE_MS);
  const newer = await deliver(ann);
  await ann.client.mail.snooze({ email_id: older, until: inMs(MINUTE_MS) });
  const later = inMs(DAY_MS);
  await ann.client.mail.snooze({ email_id: older, until: later });
  expect((await one(ann, older)).snoozed_until).toBe(later);
  await ann.client.mail.snooze({ email_id: older, until: null });
  expect(await one(ann, older)).toMatchObject({ snoozed: false, snoozed_until: null, read: true });
  expect(await inbox(ann)).toEqual([newer, older]);
});

test('a new message wakes snoozed mail in its conversation, the owner’s own reply and other mail do not', async () => {
  const root = { messageId: '<root@x>', references: [] };
  const first = await deliver(ann, { ...root, flags: { read: true, archived: true } });
  const other = await deliver(ann, { messageId: '<other@x>', references: [] });
  const foreign = await deliver(bob, root);
  const until = inMs(DAY_MS);
  for (const [user, ids] of [
    [ann, [first, other]],
    [bob, [foreign]],
  ] as const)
    await user.client.mail.snooze({ email_id: [...ids], until });
  const { received_at } = await one(ann, first);
  const references = ['<root@x>'];
  const unheard = [{ sent: true, read: true }, { draft: true }, { flagged: true }, { archived: true }];
  await deliverMany(
    ann,
    unheard.map(flags => ({ references, flags })),
  );
  expect(await one(ann, first)).toMatchObject({ snoozed: true, snoozed_until: until });
  const { last_check } = await ann.client.mail.check_new({});
  clock.advance(MINUTE_MS);
  // One millisecond apart, because messages with the same time have no defined order.
  const receivedAt = new Date(clock.now().getTime() + 1);
  const [answer, second] = await deliverMany(ann, [{ references }, { references, receivedAt }]);
  expect(await one(ann, first)).toMatchObject({
    snoozed: false,
    snoozed_until: null,
    archived: false,
    read: true,
    received_at,
  });
  expect(await inbox(ann)).toEqual([second, answer, first]);
  expect((await ann.client.mail.check_new({ last_check })).new_email_count).toBe(2);
  expect((await one(ann, other)).snoozed).toBe(true);
  expect((await one(bob, foreign)).snoozed).toBe(true);
});

test('archiving, deleting and marking as spam end a snooze, and archived mail wakes into the inbox', async () => {
  const ids = await deliverMany(ann, [{}, {}, {}, { flags: { archived: true } }]);
  const [archived = '', deleted = '', flagged = '', old = ''] = ids;
  await ann.client.mail.snooze({ email_id: ids, until: inMs(MINUTE_MS) });
  await ann.client.mail.archive({ email_id: archived, value: true });
  await ann.client.mail.remove({ email_id: deleted });
  await ann.client.mail.flag({ email_id: flagged, value: true });
  for (const id of [archived, deleted, flagged])
    expect(await one(ann, id)).toMatchObject({ snoozed: false, snoozed_until: null });
  clock.advance(2 * MINUTE_MS);
  expect(await wakeSnoozedMail(app.deps)).toBe(1);
  expect(await inbox(ann)).toEqual([old]);
});

test('deleted, draft, scheduled and foreign messages cannot be snoozed, nor can past or distant times be set', async () => {
  const fine = await deliver(ann);
  const snooze = (email_id: string | string[], until = inMs(MINUTE_MS)) =>
    codeOf(ann.client.mail.snooze({ email_id, until }));
  for (const flags of [{ draft: true }, { sent: true, scheduled: true }])
    expect(await snooze([fine, await deliver(ann, { flags })])).toBe('422 snooze_refused');
  const deleted = await deliver(ann);
  await ann.client.mail.remove({ email_id: deleted });
  expect(await snooze([fine, deleted])).toBe('422 snooze_refused');
  expect(await snooze([fine, await deliver(bob)])).toBe('404 not_found');
  for (const until of [inMs(0), inMs(-MINUTE_MS), inMs((SCHEDULE_MAX_DAYS + 1) * DAY_MS)])
    expect(await snooze(fine, until)).toBe('422 snooze_refused');
  expect(await snooze(fine, 'tomorrow')).toBe('400 malformed');
  expect(await one(ann, fine)).toMatchObject({ snoozed: false, snoozed_until: null });
});
