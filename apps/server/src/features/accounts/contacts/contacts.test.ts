// Contacts through the typed client on a real PostgreSQL: share codes, adding, the storage bonus
// and ownership.
import { CallError } from '@keyfold/contract/client';
import { CONTACTS_MAX } from '@keyfold/contract/limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { createTestKeys, registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { FIRST_CONTACT_BONUS_BYTES, SHARE_CODE_LIFETIME_MS, SHARE_CODES_MAX } from '../../../base/limits.ts';
import { removeExpiredRows } from '../../operator/retention/jobs.ts';

let app: TestApp;
let clock: TestClock;
let ann: TestUser;
let bob: TestUser;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
beforeEach(async () => {
  [ann, bob] = await Promise.all([
    registerTestUser(app, { name: 'Ann Example' }),
    registerTestUser(app, { name: 'Bob Example' }),
  ]);
});
afterAll(() => app.close());

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof CallError) return `${error.status} ${error.code}`;
    throw error;
  }
  return 'none';
}
const share = async (user: TestUser) => (await user.client.contacts.generate({})).data;
const keysOf = ({ mainKey }: TestUser) => ({
  mlkem_public: mainKey.mlkem_public_key,
  dh_public: mainKey.dh_public_key,
  fingerprint: mainKey.key_id,
});
const limitOf = async (user: TestUser) => (await user.client.auth.check({})).data.plan_config.storage_limit;
const emailsOf = async (user: TestUser) =>
  (await user.client.contacts.list({})).data.contacts.map(({ email }) => email);
async function swapKeys(user: TestUser) {
  const { mainKey } = await createTestKeys();
  await app.db
    .updateTable('users')
    .set({ main_key: JSON.stringify(mainKey) })
    .where('kdf_email', '=', user.email)
    .execute();
  return mainKey;
}

test('a share code adds its owner as a verified contact with both keys, and works once', async () => {
  const { code, expires_at } = await share(bob);
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(Date.parse(expires_at) - clock.now().getTime()).toBe(SHARE_CODE_LIFETIME_MS);
  const { data } = await ann.client.contacts.add({ code });
  expect(data).toEqual({
    name: 'Bob Example',
    email: bob.email,
    ...keysOf(bob),
    verified: true,
    storage_bonus: FIRST_CONTACT_BONUS_BYTES,
  });
  for (const { client } of [ann, bob])
    expect(await codeOf(client.contacts.add({ code }))).toBe('409 share_code_used');
});

test('only the owner of a share code sees that it was used', async () => {
  const { code } = await share(bob);
  const stateOf = async () => (await bob.client.contacts.share_state({ code })).data.used;
  expect(await stateOf()).toBe(false);
  expect(await codeOf(ann.client.contacts.share_state({ code }))).toBe('404 share_code_refused');
  await ann.client.contacts.add({ code });
  expect(await stateOf()).toBe(true);
  await removeExpiredRows(app.deps);
  await share(bob);
  expect(await codeOf(ann.client.contacts.add({ code }))).toBe('409 share_code_used');
  clock.advance(SHARE_CODE_LIFETIME_MS);
  expect(await codeOf(ann.client.contacts.add({ code }))).toBe('404 share_code_refused');
  expect(await codeOf(bob.client.contacts.share_state({ code }))).toBe('404 share_code_refused');
});

test('a code is accepted in lowercase and in groups, and only once by concurrent users', async () => {
  const { code } = await share(bob);
  const typed = (code.toLowerCase().match(/.{1,5}/g) ?? []).join(' - ');
  const eve = await registerTestUser(app);
  const results = await Promise.all([
    codeOf(ann.client.contacts.add({ code: typed })),
    codeOf(eve.client.contacts.add({ code })),
  ]);
  expect(results.sort()).toEqual(['409 share_code_used', 'none']);
});

test('every shown code works until it expires, and further ones are refused until then', async () => {
  clock.advance(SHARE_CODE_LIFETIME_MS);
  const codes = [];
  for (let index = 0; index < SHARE_CODES_MAX; index++) codes.push((await share(bob)).code);
  expect(await codeOf(share(bob))).toBe('422 limit_reached');
  for (const code of codes.slice(1)) expect(await codeOf(ann.client.contacts.add({ code }))).toBe('none');
  await share(bob);
  clock.advance(SHARE_CODE_LIFETIME_MS);
  expect(await codeOf(ann.client.contacts.add({ code: codes[0] ?? '' }))).toBe('404 share_code_refused');
  await share(bob);
});

test('a cross-site link cannot create a share code, and no plain code is in the database', async () => {
  const reply = await ann.client.fetch('/user/generate', {
    headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' },
  });
  expect(reply.status).toBe(403);
  const { code } = await share(ann);
  const { rows } = await sql<{ text: string }>`select share_codes::text as text from share_codes`.execute(
    app.db,
  );
  expect(rows.some(({ text }) => text.includes(code))).toBe(false);
});

test('adding by address takes unverified keys from the directory; a code verifies them', async () => {
  const { data } = await ann.client.contacts.add_unverified({ email: ` ${bob.email.toUpperCase()}` });
  expect(data).toMatchObject({ name: 'Bob Example', email: bob.email, ...keysOf(bob), verified: false });
  await ann.client.contacts.add({ code: (await share(bob)).code });
  // Adding the contact again by address does not remove its verification.
  expect((await ann.client.contacts.add_unverified({ email: bob.email })).data.verified).toBe(true);
  expect(await codeOf(ann.client.contacts.add_unverified({ email: 'nobody@keyfold.test' }))).toBe(
    '404 not_found',
  );
});

test('the first contact ever adds 500 MB of storage once; the user’s own entry adds none', async () => {
  const before = await limitOf(ann);
  expect((await ann.client.contacts.list({})).data.bonus_available).toBe(true);
  const own = await ann.client.contacts.add_unverified({ email: ann.email });
  expect(own.data).toMatchObject({ name: 'Me', email: ann.email, storage_bonus: 0 });
  expect(await limitOf(ann)).toBe(before);
  const [{ code }, eve] = [await share(bob), await registerTestUser(app)];
  const answers = await Promise.all([
    ann.client.contacts.add({ code }),
    ann.client.contacts.add_unverified({ email: eve.email }),
  ]);
  expect(answers.map(({ data }) => data.storage_bonus).sort()).toEqual([0, 524_288_000]);
  expect(await limitOf(ann)).toBe(before + 524_288_000);
  for (const email of [bob.email, eve.email]) await ann.client.contacts.remove({ email });
  expect((await ann.client.contacts.add_unverified({ email: bob.email })).data.storage_bonus).toBe(0);
  expect(await limitOf(ann)).toBe(before + 524_288_000);
  expect((await ann.client.contacts.list({})).data.bonus_available).toBe(false);
});

test("the user's own entry is first in the list, is named Me, and cannot be removed", async () => {
  await ann.client.contacts.add_unverified({ email: bob.email });
  const { contacts } = (await ann.client.auth.check({})).data;
  expect(contacts).toEqual([
    { name: 'Me', email: ann.email, ...keysOf(ann), verified: true },
    { name: 'Bob Example', email: bob.email, ...keysOf(bob), verified: false },
  ]);
  expect((await ann.client.contacts.list({})).data.contacts).toEqual(contacts);
  expect(await codeOf(ann.client.contacts.remove({ email: ann.email }))).toBe('422 own_contact');
  await ann.client.contacts.remove({ email: bob.email });
  expect(await emailsOf(ann)).toEqual([ann.email]);
});

test('a contact keeps its keys when the directory changes, until the user accepts the new ones', async () => {
  await ann.client.contacts.add({ code: (await share(bob)).code });
  const swapped = await swapKeys(bob);
  const stored = async () => (await ann.client.contacts.list({})).data.contacts[1];
  expect(await stored()).toMatchObject({ ...keysOf(bob), verified: true });
  const wish = { email: bob.email, verified: false };
  const old = { ...wish, fingerprint: bob.mainKey.key_id };
  expect(await codeOf(ann.client.contacts.change(old))).toBe('409 recipient_key_changed');
  await ann.client.contacts.change({ ...wish, fingerprint: swapped.key_id });
  expect(await stored()).toMatchObject({ fingerprint: swapped.key_id, verified: false });
});

test("another user's contacts can be neither read nor changed", async () => {
  await ann.client.contacts.add_unverified({ email: bob.email });
  const eve = await registerTestUser(app);
  const change = { email: bob.email, fingerprint: bob.mainKey.key_id, verified: true };
  expect(await codeOf(eve.client.contacts.remove({ email: bob.email }))).toBe('404 not_found');
  expect(await codeOf(eve.client.contacts.change(change))).toBe('404 not_found');
  expect(await emailsOf(eve)).toEqual([eve.email]);
  expect(await emailsOf(bob)).toEqual([bob.email]);
  expect(await emailsOf(ann)).toEqual([ann.email, bob.email]);
});

test('the number of contacts is limited', async () => {
  const { rows } = await sql<{ id: string }>`select id from users where kdf_email = ${ann.email}`.execute(
    app.db,
  );
  await sql`insert into contacts select ${rows[0]?.id}::uuid, 'n' || n || '@keyfold.test', 'N', 'a', 'b', 'c', false
    from generate_series(1, ${CONTACTS_MAX}) n`.execute(app.db);
  expect(await codeOf(ann.client.contacts.add_unverified({ email: bob.email }))).toBe('422 limit_reached');
});
