// Deleting an account leaves nothing in any table or in the blob store, and its address is never
// assigned again.
import { randomBytes, randomUUID } from 'node:crypto';
import { createFileKey, sealWholeAttachment } from '@keyfold/crypto/attachment';
import { createMessageKey } from '@keyfold/crypto/message';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { sealTestMessage } from '../../../../tests/harness/sending.ts';
import { createTestKeys, registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { createMemoryBlobs, type MemoryBlobs } from '../../../adapters/blob-memory.ts';

let app: TestApp;
let blobs: MemoryBlobs;
beforeAll(async () => {
  blobs = createMemoryBlobs();
  app = await startTestApp({ blobs });
});
afterAll(() => app.close());

const container = async (): Promise<Blob> =>
  new Blob([
    Buffer.from(
      await sealWholeAttachment({
        messageKey: createMessageKey(),
        fileKey: createFileKey(),
        meta: { name: 'a', type: 'text/plain', size: 3 },
        bytes: Buffer.from('abc'),
      }),
    ),
  ]);

async function uploaded({ client, mainKey }: TestUser) {
  const { data: draft } = await client.sending.empty({
    key_used: mainKey.key_id,
    encrypted_key: randomBytes(60).toString('base64'),
    salt: randomBytes(32).toString('base64'),
  });
  const { data } = await client.sending.upload(draft, { file: await container() });
  return { draft_id: draft.draft_id, id: data.id };
}

/**
 * Returns the places in the database that contain a text, as table.column; searches every column of
 * every table.
 */
async function findEverywhere(text: string): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' order by 1, 2`.execute(app.db);
  const found: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(table)}
      where ${sql.ref(column)}::text like ${`%${text}%`}`.execute(app.db);
    if ((rows[0]?.n ?? 0) > 0) found.push(`${table}.${column}`);
  }
  return found;
}

const idOf = async ({ email }: TestUser): Promise<string> =>
  (await app.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;

test('deleting an account removes everything within the request except other users’ data', async () => {
  const ann = await registerTestUser(app, { username: 'ann.leaves', keepSignedIn: true });
  const bob = await registerTestUser(app);
  const annId = await idOf(ann);
  const { client } = ann;
  const alone = await uploaded(ann);
  const shared = await uploaded(ann);
  const { data: sent } = await client.sending.send_private({
    ...(await sealTestMessage(ann, { to: [bob] })),
    draft_id: shared.draft_id,
  });
  await client.sending.send_private(await sealTestMessage(ann, { to: ['guest@outside.test'] }));
  await client.sending.send_private({
    ...(await sealTestMessage(ann, { to: [bob, 'guest@outside.test'] })),
    undo_seconds: 30,
  });
  await client.tags.save({ tag: { name: 'work', color: 'blue' } });
  await client.tags.tag_email({ email_id: sent.id, tags: ['work'] });
  const { data: segment } = await client.search.add_segment({ head: 'AAAA' }, { file: await container() });
  const { data: waiting } = await client.imports.container({}, { file: await container() });
  await client.signatures.create({ name: 'S', html_content: 'S', plain_text: 'S' });
  const key_used = ann.identity.key_id;
  await client.records.save({ kind: 'template', id: 'a', version: 0, sealed: 'AAAA', key_used });
  await client.rules.save({ rules: [] });
  await client.security.block({ sender: 'evil@outside.test', value: true });
  await client.calendar.tokens({
    event_id: 'e@keyfold.test',
    sequence: 0,
    organizer: ann.email,
    attendees: ['guest@outside.test'],
  });
  for (const confirmed of [true, false])
    await client.account.save_recovery({
      password: ann.loginHash,
      recovery: { proof: randomBytes(32).toString('hex'), main_key: ann.mainKey },
      confirmed,
    });
  await client.contacts.add_unverified({ email: bob.email });
  await client.contacts.generate({});
  const other = app.client();
  await other.sign_in.login({ email: ann.email, password: ann.loginHash });
  expect(await findEverywhere(annId)).toEqual(
    expect.arrayContaining(['users.id', 'outbound_messages.user_id']),
  );

  expect(await codeOf(client.account.delete_account({ password: randomBytes(32).toString('hex') }))).toBe(
    '403 password_wrong',
  );
  await client.auth.check({});
  await client.account.delete_account({ password: ann.loginHash });

  expect(await findEverywhere(annId)).toEqual([]);
  // Messages that Bob received from her are his, and their headers name her. The key log first
  // processes the pending notes about her address.
  await bob.client.mail.keys({ users: [bob.email] });
  expect(await findEverywhere('ann.leaves')).toEqual(['mails.from_address', 'mails.headers', 'mails.people']);
  const queue = await app.db.selectFrom('outbound_recipients').selectAll().execute();
  expect([...queue, ...(await app.db.selectFrom('held_recipients').selectAll().execute())]).toEqual([]);
  expect(blobs.ids()).toEqual([shared.id]);
  expect(blobs.ids()).not.toContain(alone.id);
  expect(blobs.ids()).not.toContain(segment.id);
  expect(blobs.ids()).not.toContain(waiting.id);
  expect((await bob.client.sending.attachment({ id: shared.id })) as object).toBeDefined();

  expect(client.jar.get('keyfold_session')).toBeUndefined();
  for (const one of [client, other]) expect(await codeOf(one.auth.check({}))).toBe('401 not_logged_in');
  const login = { email: ann.email, password: ann.loginHash };
  expect(await codeOf(app.client().sign_in.login(login))).toBe('401 login_refused');
});

test('an organization created during the deletion of the account is deleted with it', async () => {
  const ann = await registerTestUser(app);
  const annId = await idOf(ann);
  const { id } = await uploaded(ann);
  await ann.client.sending.send_private({
    ...(await sealTestMessage(ann, { to: [ann] })),
    draft_id: (await uploaded(ann)).draft_id,
  });
  expect(blobs.ids()).toContain(id);
  // Another of her requests is still running between the deletion of the account and that of its
  // encrypted blobs.
  const remove = vi.spyOn(blobs, 'remove').mockImplementationOnce(async () => {
    const organization_id = randomUUID();
    const now = new Date();
    await app.db
      .insertInto('organizations')
      .values({ id: organization_id, name: 'Late', created_at: now })
      .execute();
    await app.db
      .insertInto('organization_members')
      .values({ user_id: annId, organization_id, role: 'owner', joined_at: now })
      .execute();
  });
  await ann.client.account.delete_account({ password: ann.loginHash });
  expect(remove).toHaveBeenCalled();
  remove.mockRestore();
  const left = app.db.selectFrom('organizations').select('id').where('name', '=', 'Late');
  expect(await left.execute()).toEqual([]);
});

test('the address of a deleted account is never assigned again', async () => {
  const { client, email, loginHash } = await registerTestUser(app, { username: 'was.here' });
  await client.account.delete_account({ password: loginHash });
  const { mainKey } = await createTestKeys();
  const form = { name: 'New', domain: 'keyfold.test', password: loginHash, captcha: '', main_key: mainKey };
  expect(await codeOf(app.client().sign_up.register({ ...form, username: 'Was.Here' }))).toBe(
    '409 address_taken',
  );
  const asking = await registerTestUser(app);
  const { data } = await asking.client.mail.keys({ users: [email] });
  expect(data).toEqual([{ email, plaintext: true, unknown: true }]);
});

test('storage is broken down by use', async () => {
  const user = await registerTestUser(app);
  const { client } = user;
  const { data: sent } = await client.sending.send_private(await sealTestMessage(user, { to: [user] }));
  await uploaded(user);
  await client.search.add_segment({ head: 'AAAA' }, { file: new Blob([randomBytes(10)]) });
  const { data: before } = await client.account.storage({});
  expect(before.mail).toBeGreaterThan(0);
  expect(before).toMatchObject({ attachments: 0, spam_and_deleted: 0, search_index: 10 });
  expect(before.drafts).toBeGreaterThan(0);
  expect(before.mail + before.drafts).toBe(before.used);
  await client.mail.remove({ email_id: sent.id });
  const { data: after } = await client.account.storage({});
  expect(after.spam_and_deleted).toBeGreaterThan(0);
  expect(after.mail + after.spam_and_deleted + after.drafts).toBe(after.used);
});
