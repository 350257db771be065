import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { CallError } from '@keyfold/contract/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock } from '../../../../tests/harness/clock.ts';
import { readCounters } from '../../../../tests/harness/mailbox.ts';
import { openMail, type SendRequest, sealTestMessage } from '../../../../tests/harness/sending.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';

let app: TestApp;
let ann: TestUser;
let ben: TestUser;
let cat: TestUser;
const clock = createTestClock();

beforeAll(async () => {
  app = await startTestApp({ clock });
  [ann, ben, cat] = await Promise.all([
    registerTestUser(app, { name: 'Ann Archer' }),
    registerTestUser(app),
    registerTestUser(app),
  ]);
});
afterAll(() => app.close());
// Lists are sorted newest first, so no two tests may send at the same instant.
beforeEach(() => clock.advance(1_000));

const send = (user: TestUser, request: SendRequest, key?: string) =>
  user.client.sending.send_private(request, key === undefined ? {} : { headers: { 'idempotency-key': key } });

const inbox = async (user: TestUser) => (await user.client.mail.query({ sent: false, draft: false })).data;
const outbox = async (user: TestUser) => (await user.client.mail.query({ sent: true })).data;

async function countMails() {
  const row = await app.db
    .selectFrom('mails')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return row.n;
}

async function expectRefusal(attempt: () => Promise<unknown>, code: string, path?: string) {
  const before = await countMails();
  const error = (await attempt().then(
    () => null,
    (reason: unknown) => reason,
  )) as CallError | null;
  expect(error).toMatchObject({ code });
  if (path !== undefined) expect(error?.problems.map(problem => problem.path)).toContain(path);
  expect(await countMails()).toBe(before);
}

async function expectTrueCounters() {
  const { kept, recounted } = await readCounters(app.db);
  expect(kept).toEqual(recounted);
}

describe('a sealed message', () => {
  test('can be opened by its recipients and, as a sent copy, by its sender', async () => {
    const request = await sealTestMessage(ann, { to: [ben], cc: [cat], text: 'For your eyes' });
    const { data } = await send(ann, request);
    expect(data.message_id).toMatch(/^<[0-9a-f]{32}@keyfold\.test>$/);
    for (const reader of [ben, cat]) {
      const [mail] = await inbox(reader);
      expect(mail).toMatchObject({
        from: ann.email,
        message_id: data.message_id,
        read: false,
        sent: false,
        public: false,
      });
      expect(mail && (await openMail(reader, mail))).toContain('For your eyes');
      expect(mail?.dh_public).toBe(request.public_key);
    }
    const [copy] = await outbox(ann);
    expect(copy).toMatchObject({ id: data.id, read: true, sent: true, public: false, ciphertext: null });
    expect(copy && (await openMail(ann, copy))).toContain('For your eyes');
    expect(copy?.headers).toContain(`From: Ann Archer <${ann.email}>\r\n`);
    expect(copy?.headers).toContain('Subject: [...]\r\n');
    await expectTrueCounters();
  });

  test('hides Bcc recipients from the others and gives each row only its own wrap', async () => {
    const request = await sealTestMessage(ann, { to: [ben], bcc: [cat] });
    const { data } = await send(ann, request);
    const rows = await app.db
      .selectFrom('mails')
      .select(['user_id', 'headers', 'encrypted_key'])
      .where('message_id', '=', data.message_id)
      .execute();
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map(row => row.encrypted_key?.toString('hex'))).size).toBe(3);
    const own = (await outbox(ann))[0];
    expect(own?.headers).toContain(`Bcc: ${cat.email}`);
    for (const reader of [ben, cat]) {
      const [mail] = await inbox(reader);
      expect(mail?.headers).not.toContain(cat.email);
    }
  });

  test('to oneself becomes one message in the inbox and one sent copy', async () => {
    const { data } = await send(ann, await sealTestMessage(ann, { to: [ann], text: 'Note to self' }));
    const [mail] = await inbox(ann);
    expect(mail?.message_id).toBe(data.message_id);
    expect(mail?.dh_public).toBeNull();
    expect(mail && (await openMail(ann, mail))).toContain('Note to self');
    expect((await outbox(ann))[0]?.id).toBe(data.id);
    await expectTrueCounters();
  });

  test('joins the conversation that it replies to', async () => {
    const first = await send(ann, await sealTestMessage(ann, { to: [ben] }));
    const answer = await sealTestMessage(ben, { to: [ann] });
    await send(ben, {
      ...answer,
      in_reply_to: first.data.message_id,
      references: [first.data.message_id],
    });
    const [reply] = await inbox(ann);
    const [sent] = (await outbox(ann)).filter(mail => mail.message_id === first.data.message_id);
    expect(reply?.thread_id).toBe(sent?.thread_id);
    expect(reply?.headers).toContain(`In-Reply-To: ${first.data.message_id}`);
  });

  test('never stores the subject that the request names', async () => {
    const request = await sealTestMessage(ann, { to: [ben] });
    await send(ann, { ...request, subject: 'Canary subject', content_type: 'text/plain' });
    const [mail] = await inbox(ben);
    expect(mail?.headers).toContain('Subject: [...]\r\nContent-Type: text/plain\r\n');
  });
});

describe('a send is refused, and nothing is stored, when', () => {
  let request: SendRequest;
  beforeAll(async () => {
    request = await sealTestMessage(ann, { to: [ben], cc: [cat] });
  });
  const entryOf = (index: number) => {
    const entry = request.to[index];
    if (entry === undefined) throw new Error('no such entry');
    return entry;
  };

  test('the sender address belongs to another user', () =>
    expectRefusal(() => send(ann, { ...request, used_address: ben.email }), 'sender_refused'));
  test('the public key does not belong to the sender', () =>
    expectRefusal(
      () => send(ann, { ...request, public_key: randomBytes(32).toString('base64') }),
      'keys_refused',
      'public_key',
    ));
  test('it has no copy for the sender or more than one', async () => {
    await expectRefusal(() => send(ann, { ...request, to: [entryOf(0)] }), 'recipients_refused', 'to');
    const twice = [...request.to, entryOf(2)];
    await expectRefusal(() => send(ann, { ...request, to: twice }), 'recipients_refused', 'to');
  });
  test('the sender is the only recipient', () =>
    expectRefusal(() => send(ann, { ...request, to: [entryOf(2)] }), 'recipients_refused', 'to'));
  test('an entry is not exactly one of to, cc and bcc', () =>
    expectRefusal(
      () => send(ann, { ...request, to: [{ ...entryOf(0), bcc: true }, entryOf(2)] }),
      'recipients_refused',
      'to.0',
    ));
  test('a recipient is named twice, in any spelling', () =>
    expectRefusal(
      () =>
        send(ann, {
          ...request,
          to: [entryOf(0), { ...entryOf(0), email: ben.email.toUpperCase() }, entryOf(2)],
        }),
      'recipients_refused',
      'to.1',
    ));
  test('one of several recipients has a new key', () =>
    expectRefusal(
      () =>
        send(ann, {
          ...request,
          to: [entryOf(0), { ...entryOf(1), key_used: randomBytes(20).toString('base64') }, entryOf(2)],
        }),
      'recipient_key_changed',
      'to.1',
    ));
  test('a recipient who has keys would receive plaintext', () =>
    expectRefusal(
      () =>
        send(ann, {
          ...request,
          encryption_key: randomBytes(32).toString('base64'),
          to: [{ email: ben.email, to: true, plaintext: true }, entryOf(2)],
        }),
      'recipient_has_keys',
      'to.0',
    ));
  test('a sealed entry names an address without keys', () =>
    expectRefusal(
      () => send(ann, { ...request, to: [{ ...entryOf(0), email: 'x@outside.test' }, entryOf(2)] }),
      'recipients_refused',
      'to.0',
    ));
  test('a sealed entry is incomplete', async () => {
    const { ciphertext: _, ...bare } = entryOf(0);
    await expectRefusal(
      () => send(ann, { ...request, to: [bare, entryOf(2)] }),
      'recipients_refused',
      'to.0',
    );
    const { salt: __, ...saltless } = entryOf(0);
    await expectRefusal(
      () => send(ann, { ...request, to: [saltless, entryOf(2)] }),
      'recipients_refused',
      'to.0',
    );
  });
  test('a plaintext recipient lacks the message key, or the key is sent without need', async () => {
    const outside = { email: 'x@outside.test', to: true, plaintext: true };
    await expectRefusal(() => send(ann, { ...request, to: [outside, entryOf(2)] }), 'key_needed');
    await expectRefusal(
      () => send(ann, { ...request, encryption_key: randomBytes(32).toString('base64') }),
      'message_refused',
      'encryption_key',
    );
  });
  test('the body is not sealed', () =>
    expectRefusal(
      () => send(ann, { ...request, body: randomBytes(33).toString('base64') }),
      'message_refused',
      'body',
    ));
  test('a header contains a line break or a null byte', async () => {
    await expectRefusal(
      () => send(ann, { ...request, content_type: 'text/plain\r\nBcc: x@outside.test' }),
      'message_refused',
      'content_type',
    );
    await expectRefusal(
      () => send(ann, { ...request, content_type: 'multipart/mixed', boundary: 'a"\r\nX: y' }),
      'message_refused',
      'boundary',
    );
    await expectRefusal(() => send(ann, { ...request, in_reply_to: '<a\u0000b@c>' }), 'message_refused');
  });
  test('a recipient is suspended', async () => {
    const dan = await registerTestUser(app);
    const toDan = await sealTestMessage(ann, { to: [ben, dan] });
    await app.db.updateTable('users').set({ status: 'suspended' }).where('email', '=', dan.email).execute();
    await expectRefusal(() => send(ann, toDan), 'recipients_refused', 'to.1');
  });
  test('a mailbox is full', async () => {
    const eve = await registerTestUser(app);
    const toEve = await sealTestMessage(ann, { to: [ben, eve] });
    const fill = (bytes: number, email: string) =>
      app.db
        .updateTable('users')
        .set({ bonus_bytes: -5 * 1024 ** 3 + bytes })
        .where('email', '=', email)
        .execute();
    await fill(10, eve.email);
    await expectRefusal(() => send(ann, toEve), 'recipients_refused', 'to.1');
    const fromEve = await sealTestMessage(eve, { to: [ben] });
    await expectRefusal(() => send(eve, fromEve), 'quota_exceeded');
    // Files waiting to be imported count against the quota too.
    await fill(1_000_000, eve.email);
    const { id: user_id } = await app.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', eve.email)
      .executeTakeFirstOrThrow();
    await app.db
      .insertInto('import_containers')
      .values({ user_id, blob_id: randomUUIDv7(), size_bytes: 1_000_000, created_at: clock.now() })
      .execute();
    await expectRefusal(() => send(ann, toEve), 'recipients_refused', 'to.1');
  });
  test('the draft does not exist', () =>
    expectRefusal(
      () => send(ann, { ...request, draft_id: '01900000-0000-7000-8000-000000000000' }),
      'not_found',
    ));
});

describe('an Idempotency-Key', () => {
  test('makes a repeated request return the same response without sending again', async () => {
    const request = await sealTestMessage(ann, { to: [ben] });
    const first = await send(ann, request, 'key-1');
    const before = await countMails();
    expect(await send(ann, request, 'key-1')).toEqual(first);
    expect(await countMails()).toBe(before);
  });

  test('is refused when reused for a different request', async () => {
    await send(ann, await sealTestMessage(ann, { to: [ben] }), 'key-2');
    const other = await sealTestMessage(ann, { to: [ben] });
    await expectRefusal(() => send(ann, other, 'key-2'), 'idempotency_mismatch');
  });

  test('belongs to one user', async () => {
    await send(ann, await sealTestMessage(ann, { to: [cat] }), 'key-3');
    clock.advance(1_000);
    await send(ben, await sealTestMessage(ben, { to: [cat] }), 'key-3');
    expect((await inbox(cat)).slice(0, 2).map(mail => mail.from)).toEqual([ben.email, ann.email]);
  });

  test('makes fifty concurrent requests send one message', async () => {
    const request = await sealTestMessage(ann, { to: [ben, cat] });
    const before = await countMails();
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(ann, request, 'key-50')));
    expect(new Set(answers.map(({ data }) => `${data.id} ${data.message_id}`)).size).toBe(1);
    expect(await countMails()).toBe(before + 3);
    await expectTrueCounters();
  });

  test('can be reused after a send that was refused', async () => {
    const request = await sealTestMessage(ann, { to: [ben] });
    await expectRefusal(() => send(ann, { ...request, used_address: ben.email }, 'key-4'), 'sender_refused');
    await send(ann, request, 'key-4');
  });
});

describe('attachments', () => {
  const upload = async (user: TestUser, draftId: string) => {
    const bytes = Buffer.concat([Buffer.from('KFA1'), randomBytes(200)]);
    bytes.writeUInt32BE(120, 4);
    const { data } = await user.client.sending.upload({ draft_id: draftId }, { file: new Blob([bytes]) });
    return data;
  };
  const emptyDraft = async (user: TestUser) => {
    const { data } = await user.client.sending.empty({
      key_used: user.identity.key_id,
      encrypted_key: randomBytes(60).toString('base64'),
      salt: randomBytes(32).toString('base64'),
    });
    return data.draft_id;
  };

  test('of the draft go to every recipient, and the draft is removed', async () => {
    const draftId = await emptyDraft(ann);
    const container = await upload(ann, draftId);
    const request = await sealTestMessage(ann, { to: [ben] });
    const { data } = await send(ann, { ...request, draft_id: draftId });
    const [mail] = await inbox(ben);
    expect(mail?.attachments).toEqual([container]);
    const { data: copy } = await ann.client.mail.one({ id: data.id });
    expect(copy.attachments).toEqual([container]);
    expect((await ann.client.mail.query({ draft: true })).data).toEqual([]);
    await expectTrueCounters();
    // Once sent, the draft cannot be sent again.
    await expectRefusal(() => send(ann, { ...request, draft_id: draftId }), 'not_found');
  });

  test('can be forwarded by reference only by users who have them', async () => {
    const draftId = await emptyDraft(ann);
    const container = await upload(ann, draftId);
    await send(ann, { ...(await sealTestMessage(ann, { to: [ben] })), draft_id: draftId });
    const forward = await sealTestMessage(ben, { to: [cat] });
    await send(ben, { ...forward, forwarded_attachments: [container.id] });
    expect((await inbox(cat))[0]?.attachments).toEqual([container]);
    const stranger = await registerTestUser(app);
    const stolen = await sealTestMessage(stranger, { to: [stranger] });
    await expectRefusal(
      () => send(stranger, { ...stolen, forwarded_attachments: [container.id] }),
      'not_found',
    );
    await expectTrueCounters();
  });
});

test('the plan’s limit on sends applies per hour', async () => {
  const fay = await registerTestUser(app);
  const request = await sealTestMessage(fay, { to: [ben] });
  for (let sent = 0; sent < 100; sent++) await send(fay, request);
  const error = await send(fay, request).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3600 });
  clock.advance(3600_000);
  await send(fay, request);
});

test('the plan’s limit on recipients applies per hour and includes held mail', async () => {
  const gus = await registerTestUser(app);
  const many = Array.from({ length: 250 }, (_, index) => `friend${index}@outside.test`);
  const request = { ...(await sealTestMessage(gus, { to: many })), undo_seconds: 30 };
  await send(gus, request);
  await send(gus, request);
  await expectRefusal(async () => send(gus, await sealTestMessage(gus, { to: [ben] })), 'rate_limited');
  clock.advance(3600_000);
  await send(gus, await sealTestMessage(gus, { to: [ben] }));
});

test('messages from one user to one outside recipient are limited per hour and per day on every plan', async () => {
  const hal = await registerTestUser(app);
  await app.db.updateTable('users').set({ plan: 'pro' }).where('email', '=', hal.email).execute();
  // Start at the beginning of an hour, because messages are counted per hour.
  clock.advance(3600_000 - (clock.now().getTime() % 3600_000));
  const messageTo = async (...to: string[]) => sealTestMessage(hal, { to });
  const requests = [
    await messageTo('bob@outside.test'),
    await messageTo('bob+tag@outside.test', 'cy@outside.test'),
  ];
  const flood = async (count: number) => {
    for (let sent = 0; sent < count; sent++) await send(hal, requests[sent % 2] as SendRequest);
  };
  const refused = () =>
    send(hal, requests[0] as SendRequest).then(
      () => null,
      (reason: unknown) => reason,
    );
  await flood(100);
  expect(await refused()).toMatchObject({ status: 429, code: 'rate_limited', retryAfterSeconds: 3600 });
  // A refused message is not counted for any of its recipients.
  await expectRefusal(() => send(hal, requests[1] as SendRequest), 'rate_limited');
  for (let sent = 0; sent < 50; sent++) await send(hal, await messageTo('cy@outside.test'));
  await expectRefusal(async () => send(hal, await messageTo('cy@outside.test')), 'rate_limited');
  await send(hal, await messageTo('dee@outside.test'));
  // To the sender each tag is a separate address, but all of them lead to one person's inbox.
  const tagged = await messageTo(...Array.from({ length: 60 }, (_, index) => `eve+${index}@outside.test`));
  await send(hal, tagged);
  await expectRefusal(() => send(hal, tagged), 'rate_limited');
  for (let hours = 0; hours < 2; hours++) {
    clock.advance(3600_000);
    await flood(100);
  }
  clock.advance(3600_000);
  expect(await refused()).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 21 * 3600 });
  clock.advance(21 * 3600_000);
  await flood(1);
  const kept = await app.db.selectFrom('outside_letters').selectAll().execute();
  expect(JSON.stringify(kept)).not.toContain('outside.test');
});
