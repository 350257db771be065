import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { createFileKey, openWholeAttachment, sealWholeAttachment } from '@keyfold/crypto/attachment';
import { createMessageKey, sealMessage, sealSummary, wrapForSelf } from '@keyfold/crypto/message';
import { createOpener } from '@keyfold/crypto/opener';
import { expect, test } from 'vitest';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { readCounters } from '../../../../tests/harness/mailbox.ts';
import { useTwoUsers } from '../../../../tests/harness/two-users.ts';
import { registerTestUser, selfOf, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { changeFlags } from '../../mailbox/messages/index.ts';

const world = useTwoUsers();

/** Builds the request with which a client saves a text as a draft. */
async function makeDraft(user: TestUser, text: string, messageKey = createMessageKey()) {
  const sealed = await sealMessage({
    payload: Buffer.from(text),
    messageKey,
    recipients: [],
    self: selfOf(user),
  });
  const binding = Buffer.from(sealed.binding, 'base64');
  const summary = await sealSummary(messageKey, binding, {
    subject: 'Secret plan',
    from: { name: '', address: user.email },
    to: [],
    cc: [],
    date: '2026-01-01T00:00:00.000Z',
    snippet: text,
    attachments: 0,
    invite: false,
  });
  if (sealed.self === null) throw new Error('no own entry');
  return {
    used_address: user.email,
    body: sealed.message_encrypted,
    summary,
    key_used: sealed.self.key_used,
    encrypted_key: sealed.self.second_stage_key_encrypted,
    salt: sealed.self.salt,
  };
}

async function makeEmpty(user: TestUser, messageKey = createMessageKey()) {
  const nothing = createHash('sha256').update('').digest();
  const wrap = await wrapForSelf(messageKey, nothing, selfOf(user));
  return { key_used: wrap.key_used, encrypted_key: wrap.second_stage_key_encrypted, salt: wrap.salt };
}

const makeContainer = (messageKey: Uint8Array, fileKey: Uint8Array, bytes: Uint8Array) =>
  sealWholeAttachment({
    messageKey,
    fileKey,
    meta: { name: 'plan.pdf', type: 'application/pdf', size: bytes.length },
    bytes,
  });

const upload = (user: TestUser, draft_id: string, bytes: Uint8Array) =>
  user.client.sending.upload({ draft_id }, { file: new Blob([Buffer.from(bytes)]) });

test('a draft keeps its id and Message-ID across saves, takes the new content and moves to the top', async () => {
  const first = await world.alice.client.sending.draft(await makeDraft(world.alice, 'one'));
  const { draft_id } = first.data;
  const before = (await world.alice.client.mail.one({ id: draft_id })).data;
  world.clock.advance(60_000);
  const again = await makeDraft(world.alice, 'two');
  expect((await world.alice.client.sending.draft({ ...again, draft_id })).data).toEqual({ draft_id });
  const after = (await world.alice.client.mail.one({ id: draft_id })).data;
  expect(after).toMatchObject({
    draft: true,
    body: again.body,
    message_id: before.message_id,
    from: world.alice.email,
  });
  expect(Date.parse(after.received_at)).toBe(Date.parse(before.received_at) + 60_000);
  const opener = await createOpener(world.alice.identity);
  const opened = await opener.open({
    body: after.body ?? '',
    ...(after.encrypted_key === null ? {} : { encrypted_key: after.encrypted_key }),
    ...(after.salt === null ? {} : { salt: after.salt }),
  });
  expect(Buffer.from(opened.payload).toString()).toBe('two');
  const drafts = await world.alice.client.mail.query({ draft: true });
  expect(drafts.data.map(mail => mail.id)).toEqual([draft_id]);
});

test('creating a draft again with the same key returns the first one until it is sent or removed', async () => {
  const { client } = world.alice;
  const under = (key: string) => ({ headers: { 'idempotency-key': key } });
  const make = async (user: TestUser, content: string, key = 'k1') =>
    (await user.client.sending.draft(await makeDraft(user, content), under(key))).data.draft_id;
  const before = (await client.mail.query({ draft: true })).data.length;
  const id = await make(world.alice, 'lost');
  expect(await make(world.alice, 'lost, and changed')).toBe(id);
  const other = await make(world.alice, 'another letter', 'k2');
  expect(other).not.toBe(id);
  expect(await make(world.bob, 'of somebody else')).not.toBe(id);
  const { used_address: _a, body: _b, summary: _c, ...wrap } = await makeDraft(world.alice, 'wrap');
  const empty = async () => (await client.sending.empty(wrap, under('k3'))).data.draft_id;
  const home = await empty();
  expect(await empty()).toBe(home);
  expect(await make(world.alice, 'with a file', 'k3')).toBe(home);
  expect((await client.mail.query({ draft: true })).data).toHaveLength(before + 3);
  await client.mail.remove({ email_id: [id] });
  expect(await make(world.alice, 'after it was removed')).not.toBe(id);
});

test('a repeated create does not overwrite a draft that another device has saved since', async () => {
  const { client } = world.alice;
  const key = { headers: { 'idempotency-key': 'k4' } };
  const wrap = await makeEmpty(world.alice);
  const idsOf = async () => (await client.mail.query({ draft: true })).data.map(({ id }) => id);
  const bodyOf = async (id: string) => (await client.mail.one({ id })).data.body;
  const before = await idsOf();
  const { draft_id } = (await client.sending.draft(await makeDraft(world.alice, 'lost'), key)).data;
  const there = await makeDraft(world.alice, 'on the other device');
  await client.sending.draft({ ...there, draft_id });
  const named = (await client.mail.one({ id: draft_id })).data.message_id;
  const here = await makeDraft(world.alice, 'written on here');
  const other = (await client.sending.draft(here, key)).data.draft_id;
  expect((await idsOf()).sort()).toEqual([...before, draft_id, other].sort());
  expect([await bodyOf(draft_id), await bodyOf(other)]).toEqual([there.body, here.body]);
  // Repeats find this device's draft, and the other draft keeps its current Message-ID.
  expect((await client.sending.draft(await makeDraft(world.alice, 'and on'), key)).data.draft_id).toBe(other);
  expect((await client.sending.empty(wrap, key)).data.draft_id).toBe(other);
  await client.sending.draft({ ...there, draft_id });
  expect((await client.mail.one({ id: draft_id })).data.message_id).toBe(named);
});

test('a draft is found by its key from any address of the owner, also on other domains', async () => {
  const { client } = world.alice;
  const user_id = await userIdOf(world.app.db, world.alice);
  const elsewhere = `alice.${Date.now()}@elsewhere.test`;
  await world.app.db
    .insertInto('addresses')
    .values({ address: elsewhere, user_id, is_primary: false })
    .execute();
  const key = { headers: { 'idempotency-key': 'k5' } };
  const save = async (used_address: string) =>
    (await client.sending.draft({ ...(await makeDraft(world.alice, 'x')), used_address }, key)).data.draft_id;
  const id = await save(elsewhere);
  expect(await save(world.alice.email)).toBe(id);
  expect(await save(elsewhere)).toBe(id);
  // The request of a client that discards the draft.
  expect((await client.sending.empty(await makeEmpty(world.alice), key)).data.draft_id).toBe(id);
});

test('saving a draft that is in Deleted restores it, so that it is not purged', async () => {
  const { client } = world.alice;
  const { draft_id } = (await client.sending.draft(await makeDraft(world.alice, 'written'))).data;
  await client.mail.remove({ email_id: draft_id, recoverable: true });
  expect((await client.mail.one({ id: draft_id })).data).toMatchObject({ draft: true, deleted: true });
  await client.sending.draft({ ...(await makeDraft(world.alice, 'written on')), draft_id });
  expect((await client.mail.one({ id: draft_id })).data).toMatchObject({
    draft: true,
    deleted: false,
    deleted_at: null,
  });
  const { kept, recounted } = await readCounters(world.app.db);
  expect(kept).toEqual(recounted);
});

test('a draft stores neither a subject nor recipients sent outside its sealed payload', async () => {
  const { data } = await world.alice.client.sending.draft({
    ...(await makeDraft(world.alice, 'three')),
    subject: 'CANARY subject',
    to: [{ email: 'canary@example.org', plaintext: true }],
    in_reply_to: '<a@example.org>',
    references: ['<root@example.org>'],
  });
  const { headers } = (await world.alice.client.mail.one({ id: data.draft_id })).data;
  expect(headers).not.toMatch(/canary/i);
  expect(headers).toContain('Subject: [...]');
  expect(headers).toContain('References: <root@example.org>');
});

test('a draft with another user’s address or an unsealed body is refused', async () => {
  const draft = await makeDraft(world.alice, 'x');
  const save = (change: object) => codeOf(world.alice.client.sending.draft({ ...draft, ...change }));
  expect(await save({ used_address: world.bob.email })).toBe('403 sender_refused');
  expect(await save({ body: '' })).toBe('422 message_refused');
  expect(await save({ body: Buffer.from('plaintext that nobody sealed').toString('base64') })).toBe(
    '422 message_refused',
  );
  expect(await save({ summary: 'AAAA' })).toBe('422 message_refused');
  expect(await save({ draft_id: randomUUIDv7() })).toBe('404 not_found');
  expect(await save({ references: ['<a\0b@x>'] })).toBe('422 message_refused');
});

test('a draft of another user is not found', async () => {
  const { data } = await world.bob.client.sending.draft(await makeDraft(world.bob, 'mine'));
  const { draft_id } = data;
  expect(
    await codeOf(world.alice.client.sending.draft({ ...(await makeDraft(world.alice, 'x')), draft_id })),
  ).toBe('404 not_found');
  const container = await makeContainer(createMessageKey(), createFileKey(), randomBytes(10));
  expect(await codeOf(upload(world.alice, draft_id, container))).toBe('404 not_found');
  expect((await world.bob.client.mail.one({ id: draft_id })).data.attachments).toEqual([]);
});

test('an empty draft accepts a container, is saved with the same key, and returns the file', async () => {
  const messageKey = createMessageKey();
  const { data } = await world.alice.client.sending.empty(await makeEmpty(world.alice, messageKey));
  const { draft_id } = data;
  const empty = (await world.alice.client.mail.one({ id: draft_id })).data;
  expect(empty).toMatchObject({ body: null, headers: '', summary: null, draft: true, size: 0 });
  const fileKey = createFileKey();
  const plain = randomBytes(2_500_000);
  const container = await makeContainer(messageKey, fileKey, plain);
  const uploaded = (await upload(world.alice, draft_id, container)).data;
  expect(uploaded.size).toBe(container.length);
  await world.alice.client.sending.draft({
    ...(await makeDraft(world.alice, 'with file', messageKey)),
    draft_id,
  });
  const saved = (await world.alice.client.mail.one({ id: draft_id })).data;
  expect(saved.attachments).toEqual([uploaded]);
  const bytesOf = (text: string | null | undefined) => Buffer.from(text ?? '', 'base64').length;
  expect(saved.size).toBe(
    bytesOf(saved.body) + bytesOf(saved.summary) + Buffer.byteLength(saved.headers) + container.length,
  );
  expect((await world.alice.client.mail.query({ attachment: true })).data.map(mail => mail.id)).toEqual([
    draft_id,
  ]);
  const { bytes } = (await world.alice.client.sending.attachment({ id: uploaded.id })) as unknown as {
    bytes: Uint8Array;
  };
  expect(Buffer.from(await openWholeAttachment(fileKey, bytes)).equals(plain)).toBe(true);
});

async function uploadedContainer(user: TestUser) {
  const messageKey = createMessageKey();
  const { data } = await user.client.sending.empty(await makeEmpty(user, messageKey));
  const container = await makeContainer(messageKey, createFileKey(), randomBytes(5000));
  const { id } = (await upload(user, data.draft_id, container)).data;
  return { draftId: data.draft_id, id, container: Buffer.from(container) };
}

test('a container is readable by ranges, and only by users who have a message with it', async () => {
  const { id, container } = await uploadedContainer(world.alice);
  const read = (range: string, user = world.alice) =>
    user.client.fetch(`/user/attachment/${id}`, { headers: { range } });
  const cases: [string, number, number][] = [
    ['bytes=0-7', 0, 8],
    ['bytes=100-199', 100, 200],
    ['bytes=5000-', 5000, container.length],
    ['bytes=-16', container.length - 16, container.length],
    ['bytes=0-99999999', 0, container.length],
  ];
  for (const [range, start, end] of cases) {
    const response = await read(range);
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${container.length}`);
    expect(Buffer.from(await response.arrayBuffer()).equals(container.subarray(start, end))).toBe(true);
  }
  expect((await read(`bytes=${container.length}-`)).status).toBe(416);
  for (const range of ['bytes=0-7', '']) expect((await read(range, world.bob)).status).toBe(404);
  expect(await codeOf(world.bob.client.sending.remove_attachment({ id }))).toBe('404 not_found');
  expect(await codeOf(world.alice.client.sending.attachment({ id: randomUUIDv7() }))).toBe('404 not_found');
  expect(await codeOf(world.alice.client.sending.attachment({ id: '..%2f..%2fkeys' }))).toMatch(/^4/);
  expect((await world.app.client().fetch(`/user/attachment/${id}`)).status).toBe(401);
});

test('a container can be removed from a draft, but not from a sent message', async () => {
  const { draftId, id } = await uploadedContainer(world.alice);
  await world.alice.client.sending.remove_attachment({ id });
  const mail = (await world.alice.client.mail.one({ id: draftId })).data;
  expect(mail).toMatchObject({ attachments: [], size: 0 });
  expect(await codeOf(world.alice.client.sending.attachment({ id }))).toBe('404 not_found');
  const other = await uploadedContainer(world.alice);
  // Simulates sending: the same row, no longer a draft.
  await world.app.db.transaction().execute(async trx => {
    const row = await trx
      .selectFrom('mails')
      .select('user_id')
      .where('id', '=', other.draftId)
      .executeTakeFirstOrThrow();
    await changeFlags(trx, row.user_id, [other.draftId], { flags: { draft: false, sent: true } });
  });
  expect(await codeOf(world.alice.client.sending.remove_attachment({ id: other.id }))).toBe(
    '422 draft_refused',
  );
  expect(await codeOf(upload(world.alice, other.draftId, other.container))).toBe('422 draft_refused');
  expect(
    await codeOf(
      world.alice.client.sending.draft({ ...(await makeDraft(world.alice, 'x')), draft_id: other.draftId }),
    ),
  ).toBe('422 draft_refused');
});

test('an upload that is not a valid container is refused and leaves nothing behind', async () => {
  const { data } = await world.alice.client.sending.empty(await makeEmpty(world.alice));
  const real = Buffer.from(await makeContainer(createMessageKey(), createFileKey(), randomBytes(100)));
  const huge = Buffer.from(real);
  huge.writeUInt32BE(0xffffffff, 4);
  const hostile: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    'three bytes': Buffer.from('KFA'),
    'another file': Buffer.from(`%PDF-1.7\n${'x'.repeat(500)}`),
    'header size out of range': huge,
    'cut within the header': real.subarray(0, 60),
    'cut before the tag': real.subarray(0, real.length - 110),
    'a chunk of nothing but a tag after a full one': Buffer.concat([
      real.subarray(0, 8 + real.readUInt32BE(4)),
      Buffer.alloc(1_048_576 + 16 + 16),
    ]),
  };
  const before = world.blobs.ids().length;
  for (const [name, bytes] of Object.entries(hostile)) {
    expect([name, await codeOf(upload(world.alice, data.draft_id, bytes))]).toEqual([
      name,
      '422 message_refused',
    ]);
  }
  expect(world.blobs.ids().length).toBe(before);
  const rows = await world.app.db.selectFrom('blobs').select('id').where('size_bytes', '=', 0).execute();
  expect(rows).toEqual([]);
  expect((await world.alice.client.mail.one({ id: data.draft_id })).data.attachments).toEqual([]);
});

test('an upload without a file or without a draft is malformed', async () => {
  const { data } = await world.alice.client.sending.empty(await makeEmpty(world.alice));
  const form = new FormData();
  form.append('draft_id', data.draft_id);
  expect((await world.alice.client.fetch('/user/upload', { method: 'POST', body: form })).status).toBe(400);
  const lost = new FormData();
  lost.append('file', new Blob(['KFA1']), 'blob');
  expect((await world.alice.client.fetch('/user/upload', { method: 'POST', body: lost })).status).toBe(400);
});

test('an upload over the quota is refused before or during the transfer and leaves nothing behind', async () => {
  const carol = await registerTestUser(world.app);
  const messageKey = createMessageKey();
  const { data } = await carol.client.sending.empty(await makeEmpty(carol, messageKey));
  const owner = await world.app.db
    .selectFrom('mails')
    .select('user_id')
    .where('id', '=', data.draft_id)
    .executeTakeFirstOrThrow();
  const limit = carol.user.plan_config.storage_limit;
  const setUsed = (used_bytes: number) =>
    world.app.db.updateTable('mailboxes').set({ used_bytes }).where('user_id', '=', owner.user_id).execute();
  const container = await makeContainer(messageKey, createFileKey(), randomBytes(50_000));
  const before = world.blobs.ids().length;
  await setUsed(limit - 10_000);
  expect(await codeOf(upload(carol, data.draft_id, container))).toBe('507 quota_exceeded');
  await setUsed(limit);
  expect(await codeOf(upload(carol, data.draft_id, container))).toBe('507 quota_exceeded');
  expect(await codeOf(carol.client.sending.empty(await makeEmpty(carol)))).toBe('507 quota_exceeded');
  expect(await codeOf(carol.client.sending.draft(await makeDraft(carol, 'full')))).toBe('507 quota_exceeded');
  await setUsed(0);
  expect(world.blobs.ids().length).toBe(before);
  expect(await codeOf(upload(carol, data.draft_id, container))).toBe('none');
});

test('of many concurrent uploads only those within the quota are kept', async () => {
  const dora = await registerTestUser(world.app);
  const messageKey = createMessageKey();
  const { data } = await dora.client.sending.empty(await makeEmpty(dora, messageKey));
  const owner = await world.app.db
    .selectFrom('mails')
    .select('user_id')
    .where('id', '=', data.draft_id)
    .executeTakeFirstOrThrow();
  const container = await makeContainer(messageKey, createFileKey(), randomBytes(20_000));
  const used_bytes = dora.user.plan_config.storage_limit - container.length * 3 - 100;
  await world.app.db
    .updateTable('mailboxes')
    .set({ used_bytes })
    .where('user_id', '=', owner.user_id)
    .execute();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => codeOf(upload(dora, data.draft_id, container))),
  );
  expect(answers.filter(answer => answer === 'none')).toHaveLength(3);
  expect(answers.filter(answer => answer === '507 quota_exceeded')).toHaveLength(5);
  expect((await dora.client.mail.one({ id: data.draft_id })).data.attachments).toHaveLength(3);
  await world.app.db
    .updateTable('mailboxes')
    .set({ used_bytes: container.length * 3 })
    .where('user_id', '=', owner.user_id)
    .execute();
});
