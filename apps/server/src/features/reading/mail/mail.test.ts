import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { CallError } from '@keyfold/contract/client';
import { createMessageKey, sealMessage } from '@keyfold/crypto/message';
import { createOpener } from '@keyfold/crypto/opener';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import {
  insertTestTag,
  makeNewMail,
  readCounters,
  type TestMail,
} from '../../../../tests/harness/mailbox.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { DELETED_MAIL_KEPT_MS } from '../../../base/limits.ts';
import { replaceTags, sizeOf, storeMails } from '../../mailbox/messages/index.ts';

let app: TestApp;
let clock: TestClock;
let alice: TestUser;
let bob: TestUser;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
  alice = await registerTestUser(app, { username: 'alice' });
  bob = await registerTestUser(app, { username: 'bob' });
});
afterAll(() => app.close());

async function deliver(user: TestUser, mail: TestMail = {}): Promise<string> {
  const userId = await userIdOf(app.db, user);
  const [stored] = await app.db
    .transaction()
    .execute(trx => storeMails(trx, [makeNewMail(userId, { ownAddress: user.email, ...mail })]));
  return stored?.id ?? '';
}

async function statusOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
  } catch (error) {
    if (error instanceof CallError) return error.status;
    throw error;
  }
  return 200;
}

const flagsOf = async (user: TestUser, id: string) => (await user.client.mail.one({ id })).data;

test('a message is returned with its bytes, flags and tags', async () => {
  const userId = await userIdOf(app.db, alice);
  const mail = makeNewMail(userId, { flags: { starred: true, public: true }, ownAddress: alice.email });
  const [stored] = await app.db.transaction().execute(trx => storeMails(trx, [mail]));
  const tagId = await insertTestTag(app.db, userId, 'Überblick');
  await app.db.transaction().execute(trx => replaceTags(trx, userId, [stored?.id ?? ''], [tagId]));
  const { data } = await alice.client.mail.one({ id: stored?.id ?? '' });
  expect(data).toMatchObject({
    body: mail.body.toString('base64'),
    summary: mail.summary?.toString('base64'),
    binding: mail.binding.toString('base64'),
    ciphertext: mail.ciphertext?.toString('base64'),
    encrypted_key: mail.encryptedKey?.toString('base64'),
    headers: mail.headers,
    message_id: mail.messageId,
    tags: ['Überblick'],
    starred: true,
    public: true,
    read: false,
    received_at: mail.receivedAt.toISOString(),
    size: sizeOf(mail),
    attachments: [],
  });
  const listed = await alice.client.mail.query({ tag: ['Überblick'], view: 'summary' });
  expect(listed.data.map(one => one.id)).toEqual([stored?.id]);
});

test('read, star and archive take one id or a list and return how many messages were named', async () => {
  const [one, two] = [await deliver(alice), await deliver(alice)];
  expect(await alice.client.mail.read({ email_id: one, value: true })).toEqual({ data: { updated: 1 } });
  expect(await alice.client.mail.star({ email_id: [one, two], value: true })).toEqual({
    data: { updated: 2 },
  });
  expect(await alice.client.mail.archive({ email_id: [one, two, one], value: true })).toEqual({
    data: { updated: 2 },
  });
  expect(await flagsOf(alice, one)).toMatchObject({ read: true, starred: true, archived: true });
  expect(await alice.client.mail.star({ email_id: one, value: false })).toEqual({ data: { updated: 1 } });
  expect(await flagsOf(alice, one)).toMatchObject({ read: true, starred: false, archived: true });
  expect(await flagsOf(alice, two)).toMatchObject({ read: false, starred: true });
});

test('a list with one unknown or foreign id changes nothing and reveals nothing about the other user’s mail', async () => {
  const own = await deliver(alice);
  const foreign = await deliver(bob);
  for (const stranger of [foreign, randomUUIDv7(), 'nonsense', own.toUpperCase()]) {
    const email_id = [own, stranger];
    const calls = [
      alice.client.mail.read({ email_id, value: true }),
      alice.client.mail.star({ email_id, value: true }),
      alice.client.mail.archive({ email_id, value: true }),
      alice.client.mail.remove({ email_id }),
      alice.client.mail.restore({ email_id }),
      alice.client.mail.one({ id: stranger }),
    ];
    expect(await Promise.all(calls.map(statusOf))).toEqual(calls.map(() => 404));
  }
  expect(await flagsOf(alice, own)).toMatchObject({
    read: false,
    starred: false,
    archived: false,
    deleted: false,
  });
  expect(await flagsOf(bob, foreign)).toMatchObject({ read: false, deleted: false });
});

test('deleting sets the purge time to 30 days ahead on the server, restoring clears it', async () => {
  const id = await deliver(alice);
  await alice.client.mail.remove({ email_id: id });
  const purgeAt = new Date(clock.now().getTime() + DELETED_MAIL_KEPT_MS).toISOString();
  expect(await flagsOf(alice, id)).toMatchObject({ deleted: true, deleted_at: purgeAt });
  expect(await alice.client.mail.restore({ email_id: id })).toEqual({ data: { updated: 1 } });
  expect(await flagsOf(alice, id)).toMatchObject({ deleted: false, deleted_at: null });
  // Restoring a message that is not deleted is not an error: the button may be clicked twice.
  expect(await statusOf(alice.client.mail.restore({ email_id: id }))).toBe(200);
});

test('deleting a draft, or a message that is already deleted, removes all its rows', async () => {
  const [mail, draft, kept] = [
    await deliver(alice),
    await deliver(alice, { flags: { draft: true } }),
    await deliver(alice),
  ];
  await alice.client.mail.remove({ email_id: mail });
  expect(await alice.client.mail.remove({ email_id: [mail, draft, kept] })).toEqual({ data: { updated: 3 } });
  for (const gone of [mail, draft]) expect(await statusOf(alice.client.mail.one({ id: gone }))).toBe(404);
  expect(await flagsOf(alice, kept)).toMatchObject({ deleted: true });
  const left = await app.db
    .selectFrom('mail_bodies')
    .select('mail_id')
    .where('mail_id', 'in', [mail, draft])
    .execute();
  expect(left).toEqual([]);
  const { kept: counters, recounted } = await readCounters(app.db);
  expect(counters).toEqual(recounted);
});

test('a recoverable delete only moves messages to Deleted, even when repeated, drafts included', async () => {
  const ids = [await deliver(alice), await deliver(alice, { flags: { draft: true } })];
  const move = () => alice.client.mail.remove({ email_id: ids, recoverable: true });
  expect(await move()).toEqual({ data: { updated: 2 } });
  const moved = await Promise.all(ids.map(id => flagsOf(alice, id)));
  for (const flags of moved) expect(flags).toMatchObject({ deleted: true });
  clock.advance(60_000);
  expect(await move()).toEqual({ data: { updated: 2 } });
  // Nor does the second request extend their retention.
  expect(await Promise.all(ids.map(id => flagsOf(alice, id)))).toEqual(moved);
  const { kept: counters, recounted } = await readCounters(app.db);
  expect(counters).toEqual(recounted);
});

test('check_new without a previous value returns the current position and reports no new mail', async () => {
  const carol = await registerTestUser(app);
  await deliver(carol);
  const first = await carol.client.mail.check_new({});
  expect(first).toMatchObject({ has_new_emails: false, new_email_count: 0 });
  expect(new Date(first.last_check).toISOString()).toBe(first.last_check);
  expect(await carol.client.mail.check_new({ last_check: first.last_check })).toEqual(first);
  await deliver(carol);
  await deliver(carol, { flags: { sent: true } });
  for (const name of ['flagged', 'archived', 'read', 'deleted', 'draft'] as const)
    await deliver(carol, {
      flags: { [name]: true },
      ...(name === 'deleted' ? { deletedAt: clock.now() } : {}),
    });
  const next = await carol.client.mail.check_new({ last_check: first.last_check });
  expect(next).toMatchObject({ has_new_emails: true, new_email_count: 1 });
  expect(await carol.client.mail.check_new({ last_check: next.last_check })).toMatchObject({
    new_email_count: 0,
  });
  expect(await statusOf(carol.client.mail.check_new({ last_check: 'yesterday' }))).toBe(400);
});

test('polling while mail arrives counts every message once', async () => {
  const dora = await registerTestUser(app);
  let { last_check } = await dora.client.mail.check_new({});
  let counted = 0;
  let isDone = false;
  const arrivals = Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      await new Promise(resolve => setTimeout(resolve, n * 5));
      await deliver(dora);
    }),
  ).then(() => {
    isDone = true;
  });
  const poll = async () => {
    const answer = await dora.client.mail.check_new({ last_check });
    ({ last_check } = answer);
    counted += answer.new_email_count;
  };
  while (!isDone) await poll();
  await arrivals;
  await poll();
  expect(counted).toBe(40);
});

test('the unread count includes received and archived mail only', async () => {
  const erin = await registerTestUser(app);
  await deliver(erin);
  await deliver(erin, { flags: { archived: true } });
  for (const name of ['read', 'sent', 'draft', 'flagged'] as const)
    await deliver(erin, { flags: { [name]: true } });
  const removed = await deliver(erin);
  await erin.client.mail.remove({ email_id: removed });
  expect(await erin.client.mail.unread_count({})).toEqual({ data: { count: 2 } });
});

test('every folder and tag has a total and an unread count', async () => {
  const finn = await registerTestUser(app);
  const userId = await userIdOf(app.db, finn);
  const tagId = await insertTestTag(app.db, userId, 'work');
  await insertTestTag(app.db, userId, 'unused');
  const tagged = [await deliver(finn), await deliver(finn, { flags: { read: true, starred: true } })];
  await app.db.transaction().execute(trx => replaceTags(trx, userId, tagged, [tagId]));
  await deliver(finn, { flags: { sent: true, read: true } });
  await deliver(finn, { flags: { draft: true, read: true } });
  await deliver(finn, { flags: { archived: true } });
  await deliver(finn, { flags: { flagged: true } });
  await finn.client.mail.remove({ email_id: await deliver(finn, { flags: { starred: true } }) });
  const { data } = await finn.client.mail.counts({});
  const stored = await app.db
    .selectFrom('mailboxes')
    .select('used_bytes')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  expect(data).toEqual({
    folders: {
      recieved: { total: 2, unread: 1 },
      scheduled: { total: 0, unread: 0 },
      snoozed: { total: 0, unread: 0 },
      starred: { total: 1, unread: 0 },
      sent: { total: 1, unread: 0 },
      drafts: { total: 1, unread: 0 },
      archived: { total: 1, unread: 1 },
      flagged: { total: 1, unread: 1 },
      deleted: { total: 1, unread: 1 },
      all: { total: 4, unread: 2 },
    },
    tags: {
      work: { total: 2, unread: 1, color: 'gray' },
      unused: { total: 0, unread: 0, color: 'gray' },
    },
    storage_used: stored.used_bytes,
    version: expect.any(Number),
  });
  expect(stored.used_bytes).toBeGreaterThan(0);
});

test('a plus address resolves to the keys of its owner', async () => {
  const tagged = bob.email.replace('@', '+news@');
  const { data } = await alice.client.mail.keys({
    users: [tagged, `nobody+news@${bob.email.split('@')[1]}`],
  });
  expect(data[0]).toMatchObject({ email: tagged, fingerprint: bob.mainKey.key_id });
  expect(data[1]).toMatchObject({ plaintext: true });
});

test('a key lookup reports whether this server would refuse an address without keys', async () => {
  const domain = bob.email.split('@')[1];
  const users = [`nobody-here@${domain}`, 'nobody-here@example.org', bob.email];
  const { data } = await alice.client.mail.keys({ users });
  expect(data[0]).toEqual({ email: `nobody-here@${domain}`, plaintext: true, unknown: true });
  expect(data[1]).toEqual({ email: 'nobody-here@example.org', plaintext: true });
  expect(data[2]).not.toHaveProperty('unknown');
});

test('keys are returned in request order, also for a suspended user, and only for existing users', async () => {
  const gone = await registerTestUser(app);
  await app.db.updateTable('users').set({ status: 'suspended' }).where('email', '=', gone.email).execute();
  const { data } = await alice.client.mail.keys({
    users: ['nobody@example.org', bob.email.toUpperCase(), gone.email, alice.email, bob.email],
  });
  expect(data.map(one => one.email)).toEqual([
    'nobody@example.org',
    bob.email,
    gone.email,
    alice.email,
    bob.email,
  ]);
  expect(data[0]).toEqual({ email: 'nobody@example.org', plaintext: true });
  expect(data[1]).toEqual({
    email: bob.email,
    mlkem_public: bob.mainKey.mlkem_public_key,
    dh_public: bob.mainKey.dh_public_key,
    fingerprint: bob.mainKey.key_id,
  });
  expect(data[2]).toHaveProperty('mlkem_public');
  expect(data[4]).toEqual(data[1]);
});

const wire = (text: string | null | undefined): Buffer => Buffer.from(text ?? '', 'base64');

test('a list contains the owner’s own wrap once stored, and the full view contains the sender’s', async () => {
  const sealed = await sealMessage({
    payload: Buffer.from('hello'),
    messageKey: createMessageKey(),
    recipients: [
      {
        email: alice.email,
        mlkem_public: alice.identity.mlkem_public,
        dh_public: alice.identity.dh_public,
      },
    ],
    sender: bob.identity,
    summary: {
      subject: 'Secret plan',
      from: { name: '', address: bob.email },
      to: [],
      cc: [],
      date: '2026-01-01T00:00:00.000Z',
      snippet: 'hello',
      attachments: 0,
      invite: false,
    },
  });
  const [entry] = sealed.recipients;
  if (entry === undefined || entry.plaintext || !('mlkem_ciphertext' in entry)) throw new Error('not sealed');
  const id = await deliver(alice, {
    body: wire(sealed.message_encrypted),
    summary: wire(sealed.summary),
    binding: wire(sealed.binding),
    ciphertext: wire(entry.mlkem_ciphertext),
    encryptedKey: wire(entry.second_stage_key_encrypted),
    dhPublic: wire(sealed.public_key),
    salt: wire(entry.salt),
    keyUsed: entry.key_used,
  });
  const listed = async () => {
    const { data } = await alice.client.mail.query({ view: 'summary', count: 200 });
    const mail = data.find(one => one.id === id);
    if (mail === undefined) throw new Error('not listed');
    return mail;
  };
  const opener = await createOpener(alice.identity);
  const open = (mail: Awaited<ReturnType<typeof listed>>) =>
    opener.openSummary({
      summary: mail.summary ?? '',
      binding: mail.binding ?? '',
      encrypted_key: mail.encrypted_key ?? '',
      salt: mail.salt ?? '',
      ...(mail.ciphertext === null ? {} : { ciphertext: mail.ciphertext }),
      ...(mail.dh_public === null ? {} : { dh_public: mail.dh_public }),
    });
  const before = await listed();
  expect(before.ciphertext).toBe(entry.mlkem_ciphertext);
  const first = await open(before);
  const { encrypted_key, salt, key_used } = await opener.wrapForSelf(first.messageKey, wire(sealed.binding));
  const wraps = [{ email_id: id, encrypted_key, salt, key_used }];
  expect(await statusOf(bob.client.mail.rewrap({ wraps }))).toBe(404);
  const stranger = { ...wraps[0], email_id: randomUUIDv7() } as (typeof wraps)[0];
  expect(await statusOf(alice.client.mail.rewrap({ wraps: [...wraps, stranger] }))).toBe(404);
  expect((await listed()).ciphertext).not.toBeNull();
  expect(await alice.client.mail.rewrap({ wraps })).toEqual({ data: { updated: 1 } });
  const after = await listed();
  expect(after).toMatchObject({ ciphertext: null, encrypted_key, salt, dh_public: before.dh_public });
  expect((await open(after)).summary.subject).toBe('Secret plan');
  expect(JSON.stringify(after).length).toBeLessThan(JSON.stringify(before).length - 2000);
  const { data: full } = await alice.client.mail.one({ id });
  expect(full).toMatchObject({ ciphertext: entry.mlkem_ciphertext, encrypted_key: before.encrypted_key });
});

test('rewrapping a message that already has a wrap for its owner changes nothing', async () => {
  const id = await deliver(alice, { flags: { sent: true }, ciphertext: null, dhPublic: null });
  const { data: before } = await alice.client.mail.one({ id });
  const wrap = {
    email_id: id,
    encrypted_key: randomBytes(60).toString('base64'),
    salt: randomBytes(32).toString('base64'),
    key_used: alice.identity.key_id,
  };
  expect(await alice.client.mail.rewrap({ wraps: [wrap] })).toEqual({ data: { updated: 1 } });
  const { data } = await alice.client.mail.query({ view: 'summary', count: 200 });
  expect(data.find(one => one.id === id)?.encrypted_key).toBe(before.encrypted_key);
});

test('calls without a session return 401', async () => {
  const stranger = app.client();
  const id = await deliver(alice);
  const calls = [
    stranger.mail.query({}),
    stranger.mail.one({ id }),
    stranger.mail.counts({}),
    stranger.mail.check_new({}),
    stranger.mail.keys({ users: [alice.email] }),
    stranger.mail.remove({ email_id: id }),
  ];
  expect(await Promise.all(calls.map(statusOf))).toEqual(calls.map(() => 401));
});

describe('a summary that its reader found incorrect', () => {
  const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');
  const summaryOf = async (id: string): Promise<string | null> =>
    (await alice.client.mail.some({ ids: [id] })).data[0]?.summary ?? null;
  const versionOf = async (): Promise<number> => (await alice.client.mail.counts({})).data.version;

  test('is replaced once, for every device, by its owner and only over the version that was read', async () => {
    const [old, right] = [randomBytes(64), randomBytes(80).toString('base64')];
    const id = await deliver(alice, { summary: old });
    const change = { email_id: id, summary: right, was: digestOf(old) };
    const before = await versionOf();
    expect(await statusOf(bob.client.mail.mend_summary(change))).toBe(404);
    expect(await alice.client.mail.mend_summary({ ...change, was: digestOf(randomBytes(64)) })).toEqual({
      data: { updated: 0 },
    });
    expect([await summaryOf(id), await versionOf()]).toEqual([old.toString('base64'), before]);
    const both = await Promise.all([1, 2].map(() => alice.client.mail.mend_summary(change)));
    expect(both.map(({ data }) => data.updated).sort()).toEqual([0, 1]);
    expect([await summaryOf(id), await versionOf()]).toEqual([right, before + 1]);
    expect((await alice.client.mail.one({ id })).data.summary).toBe(right);
  });

  test('counts toward storage after growing or shrinking, and is removed with its message', async () => {
    const [first, longer, shorter] = [64, 40_000, 32].map(bytes => randomBytes(bytes)) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    const id = await deliver(alice, { summary: first });
    const { size } = (await alice.client.mail.one({ id })).data;
    for (const [was, now] of [
      [first, longer],
      [longer, shorter],
    ] as const) {
      const change = { email_id: id, summary: now.toString('base64'), was: digestOf(was) };
      expect((await alice.client.mail.mend_summary(change)).data.updated).toBe(1);
      expect((await alice.client.mail.one({ id })).data.size).toBe(size + now.length - first.length);
      const { kept, recounted } = await readCounters(app.db);
      expect(kept).toEqual(recounted);
    }
    for (const _ of ['into Deleted', 'for good']) await alice.client.mail.remove({ email_id: id });
    const { kept, recounted } = await readCounters(app.db);
    expect(kept).toEqual(recounted);
  });

  test('cannot grow beyond the quota, but a replacement of the same size always fits', async () => {
    const carol = await registerTestUser(app);
    const userId = await userIdOf(app.db, carol);
    const old = randomBytes(64);
    const id = await deliver(carol, { summary: old });
    const { used_bytes } = await app.db
      .selectFrom('mailboxes')
      .select('used_bytes')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    const use = (bytes: number) =>
      app.db.updateTable('mailboxes').set({ used_bytes: bytes }).where('user_id', '=', userId).execute();
    await use(used_bytes + 1_000_000_000_000);
    const mend = (bytes: number) =>
      carol.client.mail.mend_summary({
        email_id: id,
        summary: randomBytes(bytes).toString('base64'),
        was: digestOf(old),
      });
    await expect(mend(65)).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect((await carol.client.mail.one({ id })).data.summary).toBe(old.toString('base64'));
    expect((await mend(64)).data.updated).toBe(1);
    await use(used_bytes);
  });

  test.each<[string, TestMail]>([
    ['a draft', { flags: { draft: true } }],
    ['sent mail', { flags: { sent: true } }],
    ['a notice', { isAlert: true }],
  ])('cannot be replaced for %s', async (_, mail) => {
    const old = randomBytes(64);
    const id = await deliver(alice, { summary: old, ...mail });
    const summary = randomBytes(80).toString('base64');
    const { data } = await alice.client.mail.mend_summary({ email_id: id, summary, was: digestOf(old) });
    expect([data.updated, await summaryOf(id)]).toEqual([0, old.toString('base64')]);
  });

  test.each([
    ['what no summary fits in', 'AAAA', 422],
    ['more than a summary can be', 'A'.repeat(131_076), 400],
  ])('cannot be replaced by %s', async (_, summary, status) => {
    const old = randomBytes(64);
    const id = await deliver(alice, { summary: old });
    const call = alice.client.mail.mend_summary({ email_id: id, summary, was: digestOf(old) });
    expect(await statusOf(call)).toBe(status);
  });
});
