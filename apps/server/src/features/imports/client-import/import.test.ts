// Mail imported by a client: what is stored, skipped and refused (docs/spec-map.md 7.53,
// docs/api-conventions.md#mail).
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { CallError } from '@keyfold/contract/client';
import { createFileKey, sealWholeAttachment } from '@keyfold/crypto/attachment';
import { createMessageKey } from '@keyfold/crypto/message';
import { createOpener } from '@keyfold/crypto/opener';
import { expect, test } from 'vitest';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { sealImported } from '../../../../tests/harness/imported.ts';
import { useTwoUsers } from '../../../../tests/harness/two-users.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import {
  IMPORT_BATCHES_PER_USER,
  IMPORT_CONTAINER_KEPT_MS,
  IMPORT_CONTAINERS_MAX,
} from '../../../base/import-limits.ts';
import { getFreeBytes } from '../../accounts/users/index.ts';
import { removeExpiredRows } from '../../operator/retention/jobs.ts';

const world = useTwoUsers();

type Batch = Parameters<TestUser['client']['imports']['seal']>[0];
type Message = Batch['messages'][number];

const container = async (bytes: Uint8Array = Buffer.from('abc')): Promise<Blob> =>
  new Blob([
    Buffer.from(
      await sealWholeAttachment({
        messageKey: createMessageKey(),
        fileKey: createFileKey(),
        meta: { name: 'a', type: 'text/plain', size: bytes.length },
        bytes,
      }),
    ),
  ]);

const bring = async (user: TestUser, messages: Message[], import_id = 'one') =>
  (await user.client.imports.seal({ import_id, messages })).data;

const idOf = async ({ email }: TestUser): Promise<string> =>
  (await world.app.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow())
    .id;

test('an imported message keeps time, flags and tags, opens with its owner’s keys, and is no news', async () => {
  const ann = await registerTestUser(world.app);
  await ann.client.tags.save({ tag: { name: 'Work', color: 'blue' } });
  const { last_check } = await ann.client.mail.check_new({});
  const flags = { starred: true, archived: true, attachment: true };
  const answer = await bring(ann, [
    await sealImported(ann, 'a@x.test', {
      flags,
      tags: ['work', 'None such'],
      received_at: '2015-06-01T10:00:00Z',
    }),
    await sealImported(ann, 'b@x.test', {
      headers: `From: ${ann.email}\r\nTo: gus@outside.test\r\nMessage-ID: <b@x.test>\r\nIn-Reply-To: <a@x.test>\r\nSubject: Secret\r\nAuthentication-Results: keyfold.test; dmarc=pass\r\n`,
      flags: { sent: true, read: true },
      received_at: '2999-01-01T00:00:00Z',
    }),
  ]);
  expect(answer).toEqual({ results: ['stored', 'stored'], missing_bytes: 0 });
  const { data, count } = await ann.client.mail.query({ archived: true });
  expect(count).toBe(1);
  const [old] = data;
  expect(old).toMatchObject({
    received_at: '2015-06-01T10:00:00.000Z',
    starred: true,
    archived: true,
    read: false,
    public: true,
    tags: ['Work'],
    from: 'gus@outside.test',
    message_id: '<a@x.test>',
    ciphertext: null,
  });
  if (old === undefined) throw new Error('no mail');
  const opener = await createOpener(ann.identity);
  const opened = await opener.open({ ...old, body: old.body ?? '' });
  expect(Buffer.from(opened.payload).toString()).toContain('Old words');
  const [sent] = (await ann.client.mail.query({ sent: true })).data;
  expect(sent).toMatchObject({ read: true, thread_id: old.thread_id });
  expect(Date.parse(sent?.received_at ?? '')).toBeLessThanOrEqual(world.clock.now().getTime());
  // Neither a subject nor another server's authentication results are kept.
  expect(sent?.headers).not.toContain('Secret');
  expect(sent?.headers).not.toContain('dmarc');
  // The header shows that the message was imported, whatever its flags say.
  for (const one of [old, sent]) expect(one?.headers).toMatch(/^Authentication-Results: \S+; none\r\n/);
  const news = await ann.client.mail.check_new({ last_check });
  expect(news).toMatchObject({ has_new_emails: false, last_check });
  expect((await ann.client.mail.unread_count({})).data.count).toBe(1);
});

test('duplicates are not stored again: in the same batch, the same import or another one', async () => {
  const ann = await registerTestUser(world.app);
  const [a, b] = [await sealImported(ann, 'a@x.test'), await sealImported(ann, 'b@x.test')];
  expect((await bring(ann, [a, b, a])).results).toEqual(['stored', 'stored', 'here']);
  const before = (await ann.client.mail.counts({})).data;
  expect((await bring(ann, [a, b])).results).toEqual(['here', 'here']);
  expect((await bring(ann, [await sealImported(ann, 'a@x.test')], 'two')).results).toEqual(['here']);
  const after = (await ann.client.mail.counts({})).data;
  expect(after.storage_used).toBe(before.storage_used);
  expect(after.folders.all?.total).toBe(before.folders.all?.total);
  // A message that was permanently deleted meanwhile does not return with a repeated batch, only
  // with another import.
  const [first] = (await ann.client.mail.query({ message_id: Buffer.from('<a@x.test>').toString('base64') }))
    .data;
  const removed = { email_id: first?.id ?? '' };
  await ann.client.mail.remove(removed);
  await ann.client.mail.remove(removed);
  expect((await bring(ann, [a])).results).toEqual(['here']);
  expect((await bring(ann, [a], 'three')).results).toEqual(['stored']);
});

test('a client can query which messages its owner already has', async () => {
  const ann = await registerTestUser(world.app);
  await bring(ann, [await sealImported(ann, 'a@x.test')]);
  const known = async (user: TestUser, message_ids: string[], from = 'Gus@outside.test') =>
    (
      await user.client.imports.known({
        messages: message_ids.map(message_id => ({ message_id, from, date: null })),
      })
    ).data.known;
  expect(await known(ann, ['<b@x.test>', '<a@x.test>', '<\0>', '<\ud800>'])).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(await known(ann, ['<a@x.test>'], 'eve@outside.test')).toEqual([false]);
  expect(await known(world.bob, ['<a@x.test>'])).toEqual([false]);
});

test('a forged Message-ID does not block a message of another sender or another day', async () => {
  const ann = await registerTestUser(world.app);
  const of = (from: string, date: string | null) =>
    sealImported(ann, 'a@x.test', {
      headers: `From: ${from}\r\nTo: ${ann.email}\r\nMessage-ID: <a@x.test>\r\n${
        date === null ? '' : `Date: ${date}\r\n`
      }`,
    });
  const monday = 'Mon, 04 Mar 2019 08:00:00 +0100';
  const forged = await of('eve@outside.test', monday);
  const real = await of('gus@outside.test', monday);
  expect((await bring(ann, [forged])).results).toEqual(['stored']);
  const { data } = await ann.client.imports.known({
    messages: [
      { message_id: '<a@x.test>', from: 'gus@outside.test', date: '2019-03-04T07:00:00.000Z' },
      { message_id: '<a@x.test>', from: 'eve@outside.test', date: '2019-03-04T07:00:00.000Z' },
      { message_id: '<a@x.test>', from: 'eve@outside.test', date: '2019-03-05T07:00:00.000Z' },
    ],
  });
  expect(data.known).toEqual([false, true, false]);
  // Duplicates in the same import, in another one, and with the date in another time zone.
  expect((await bring(ann, [real, real])).results).toEqual(['stored', 'here']);
  expect((await bring(ann, [real, forged], 'two')).results).toEqual(['here', 'here']);
  const tuesday = await of('gus@outside.test', 'Tue, 05 Mar 2019 08:00:00 +0100');
  const zoned = await of('Gus <GUS@outside.test>', 'Mon, 04 Mar 2019 07:00:00 +0000');
  expect((await bring(ann, [tuesday, zoned], 'three')).results).toEqual(['stored', 'here']);
  expect((await bring(ann, [await of('gus@outside.test', null)], 'four')).results).toEqual(['here']);
  expect((await ann.client.mail.query({})).count).toBe(3);
});

test('a message written here is recognized by its sender, whatever its date says', async () => {
  const ann = await registerTestUser(world.app);
  const headers = (date: string) =>
    `From: ${ann.email}\r\nTo: gus@outside.test\r\nMessage-ID: <s@x.test>\r\nDate: ${date}\r\n`;
  const flags = { sent: true };
  const first = await sealImported(ann, 's@x.test', {
    headers: headers('Mon, 04 Mar 2019 08:00:00 +0100'),
    flags,
  });
  const again = await sealImported(ann, 's@x.test', {
    headers: headers('Mon, 04 Mar 2019 07:59:31 +0100'),
    flags,
  });
  expect((await bring(ann, [first])).results).toEqual(['stored']);
  expect((await bring(ann, [again], 'two')).results).toEqual(['here']);
});

test('two batches at one time store each message once', async () => {
  const ann = await registerTestUser(world.app);
  const messages = await Promise.all([...Array(20).keys()].map(n => sealImported(ann, `${n}@x.test`)));
  const answers = await Promise.all([bring(ann, messages), bring(ann, messages)]);
  expect(answers.flatMap(({ results }) => results).filter(one => one === 'stored')).toHaveLength(20);
  expect((await ann.client.mail.query({})).count).toBe(20);
});

test('no message is stored after the first that exceeds the quota, and the missing bytes are returned', async () => {
  const ann = await registerTestUser(world.app);
  const userId = await idOf(ann);
  const messages = await Promise.all([...Array(4).keys()].map(n => sealImported(ann, `${n}@x.test`)));
  const [probe] = messages;
  if (probe === undefined) throw new Error('no message');
  await bring(ann, [{ ...probe, headers: 'Message-ID: <probe@x.test>\r\n' }]);
  const { storage_used: oneBytes } = (await ann.client.mail.counts({})).data;
  const limit = 5 * 1024 ** 3;
  const { data: file } = await ann.client.imports.container({}, { file: await container() });
  // Storage for two and a half more messages.
  await world.app.db
    .updateTable('users')
    .set({ bonus_bytes: Math.floor(oneBytes * 3.9) - limit })
    .where('id', '=', userId)
    .execute();
  const last = messages.at(-1);
  if (last === undefined) throw new Error('no message');
  const answer = await bring(ann, [...messages.slice(0, 3), { ...last, attachments: [file.id] }]);
  expect(answer.results).toEqual(['stored', 'stored', 'full', 'full']);
  expect(answer.missing_bytes).toBeGreaterThan(0);
  // The blob of the message that was not stored is deleted, and a request for more storage than is
  // free is refused.
  await expect(world.blobs.get(file.id)).rejects.toThrow();
  const large = { file: await container(randomBytes(oneBytes * 2)) };
  expect(await codeOf(ann.client.imports.container({}, large))).toBe('507 quota_exceeded');
  await world.app.db.updateTable('users').set({ bonus_bytes: 0 }).where('id', '=', userId).execute();
  expect((await bring(ann, messages)).results).toEqual(['here', 'here', 'stored', 'stored']);
});

test('pending blobs count toward storage, are used once, and are readable only by their owner', async () => {
  const ann = await registerTestUser(world.app);
  const { data: file } = await ann.client.imports.container({}, { file: await container() });
  expect(await codeOf(ann.client.sending.attachment({ id: file.id }))).toBe('404 not_found');
  const theirs = await sealImported(world.bob, 'a@x.test', { attachments: [file.id] });
  expect(await codeOf(bring(world.bob, [theirs]))).toBe('404 not_found');
  const none = await sealImported(ann, 'n@x.test', { attachments: [randomUUIDv7()] });
  const fine = await sealImported(ann, 'f@x.test');
  expect(await codeOf(bring(ann, [fine, none]))).toBe('404 not_found');
  const mine = await sealImported(ann, 'a@x.test', { attachments: [file.id], flags: { attachment: true } });
  expect((await bring(ann, [mine])).results).toEqual(['stored']);
  const [mail] = (await ann.client.mail.query({ attachment: true })).data;
  expect(mail?.attachments).toEqual([file]);
  expect((await ann.client.fetch(`/user/attachment/${file.id}`)).status).toBe(200);
  expect(await codeOf(world.bob.client.sending.attachment({ id: file.id }))).toBe('404 not_found');
  // A repeated batch leaves the file in place, and another message cannot claim it.
  expect((await bring(ann, [mine])).results).toEqual(['here']);
  expect((await ann.client.fetch(`/user/attachment/${file.id}`)).status).toBe(200);
  const again = await sealImported(ann, 'b@x.test', { attachments: [file.id] });
  expect(await codeOf(bring(ann, [again]))).toBe('404 not_found');
});

test('a blob that stays unused for half a day is deleted', async () => {
  const { data: file } = await world.alice.client.imports.container({}, { file: await container() });
  world.clock.advance(IMPORT_CONTAINER_KEPT_MS + 1);
  const late = await sealImported(world.alice, 'late@x.test', { attachments: [file.id] });
  expect(await codeOf(bring(world.alice, [late]))).toBe('404 not_found');
  await world.blobs.get(file.id);
  expect(await removeExpiredRows(world.app.deps)).toMatchObject({ import_containers: 1 });
  await expect(world.blobs.get(file.id)).rejects.toThrow();
  const text = new Blob(['no container at all']);
  expect(await codeOf(world.alice.client.imports.container({}, { file: text }))).toBe('422 message_refused');
});

test('a batch may reference more blobs than one statement takes', async () => {
  const ann = await registerTestUser(world.app);
  const { db } = world.app;
  const [userId, now] = [await idOf(ann), world.clock.now()];
  const ids = Array.from({ length: 200 }, () => randomUUIDv7());
  await db
    .insertInto('blobs')
    .values(ids.map(id => ({ id, size_bytes: 1, created_at: now })))
    .execute();
  await db
    .insertInto('import_containers')
    .values(ids.map(id => ({ user_id: userId, blob_id: id, size_bytes: 1, created_at: now })))
    .execute();
  const one = await sealImported(ann, '0@x.test', { attachments: ids, flags: { attachment: true } });
  const messages = Array.from({ length: 100 }, (_, index) => ({
    ...one,
    headers: one.headers.replace('<0@', `<${index}@`),
  }));
  expect(new Set((await bring(ann, messages)).results)).toEqual(new Set(['stored']));
  const { data } = await ann.client.mail.query({ attachment: true });
  expect(data[0]?.attachments).toHaveLength(200);
});

test('pending blobs count toward the quota with a minimum charge, and their number is limited', async () => {
  const ann = await registerTestUser(world.app);
  const userId = await idOf(ann);
  const free = () => getFreeBytes(world.app.db, userId);
  const before = await free();
  const { data: file } = await ann.client.imports.container({}, { file: await container() });
  expect(await free()).toBe(before - file.size);
  const bonus = (bytes: number) =>
    world.app.db.updateTable('users').set({ bonus_bytes: bytes }).where('id', '=', userId).execute();
  // Enough storage for the few bytes of another blob, but not for its minimum charge.
  await bonus(3_000 - (await free()));
  expect(await codeOf(ann.client.imports.container({}, { file: await container() }))).toBe(
    '507 quota_exceeded',
  );
  await bonus(0);
  const mine = await sealImported(ann, 'a@x.test', { attachments: [file.id], flags: { attachment: true } });
  expect((await bring(ann, [mine])).results).toEqual(['stored']);
  expect(await free()).toBe(before - (await ann.client.mail.counts({})).data.storage_used);
  await world.app.db
    .insertInto('import_containers')
    .values(
      Array.from({ length: IMPORT_CONTAINERS_MAX }, () => ({
        user_id: userId,
        blob_id: randomUUIDv7(),
        size_bytes: 1,
        created_at: world.clock.now(),
      })),
    )
    .execute();
  expect(await codeOf(ann.client.imports.container({}, { file: await container() }))).toBe(
    '429 rate_limited',
  );
  await world.app.db.deleteFrom('import_containers').where('user_id', '=', userId).execute();
});

test('malformed rows are refused by field, and nothing of their batch is stored', async () => {
  const ann = await registerTestUser(world.app);
  const fine = await sealImported(ann, 'fine@x.test');
  const problemOf = async (message: Partial<Message>) => {
    const error = await bring(ann, [fine, { ...fine, ...message }]).catch(one => one);
    if (!(error instanceof CallError)) throw new Error('was not refused');
    return `${error.status} ${error.code} ${error.problems[0]?.path}`;
  };
  expect(await problemOf({ body: 'AAAA' })).toBe('422 message_refused messages.1.body');
  expect(await problemOf({ summary: 'AAAA' })).toBe('422 message_refused messages.1.summary');
  expect(await problemOf({ headers: 'Subject: x\r\n' })).toBe('422 message_refused messages.1.headers');
  expect(await problemOf({ salt: 'AAAA' })).toBe('400 malformed messages.1.salt');
  expect(await problemOf({ received_at: 'yesterday' })).toBe('400 malformed messages.1.received_at');
  expect(await problemOf({ key_used: randomBytes(20).toString('base64') })).toContain('409 keys_replaced');
  const many = Array.from({ length: 201 }, () => fine);
  expect(await codeOf(bring(ann, many))).toBe('400 malformed');
  expect(await codeOf(bring(ann, []))).toBe('400 malformed');
  expect((await ann.client.mail.query({})).count).toBe(0);
});

test('batches beyond the concurrency limit get a time to retry', async () => {
  const ann = await registerTestUser(world.app);
  const messages = await Promise.all([...Array(10).keys()].map(n => sealImported(ann, `${n}@x.test`)));
  const answers = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) => bring(ann, messages, `import-${n}`)),
  );
  const refused = answers.flatMap(one => (one.status === 'rejected' ? [one.reason as CallError] : []));
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(IMPORT_BATCHES_PER_USER);
  expect(refused.length).toBeGreaterThan(0);
  for (const one of refused)
    expect(one).toMatchObject({ status: 429, code: 'rate_limited', retryAfterSeconds: 1 });
});
