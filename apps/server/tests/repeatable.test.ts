// Calls that the contract declares repeatable: a client that lost the response repeats them
// automatically. Each is made twice here; the second must return the response of the first and
// leave the same state.
import { randomBytes } from 'node:crypto';
import { api, type Call } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { createMessageKey, wrapForSelf } from '@keyfold/crypto/message';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertMember } from '../src/features/accounts/memberships/index.ts';
import { storeMails } from '../src/features/mailbox/messages/index.ts';
import { registerTestAdmin, type TestAdmin } from './harness/admins.ts';
import { startTestApp, type TestApp } from './harness/app.ts';
import { makeNewMail, readCounters } from './harness/mailbox.ts';
import { sealTestMessage } from './harness/sending.ts';
import { registerTestUser, selfOf, type TestUser, userIdOf } from './harness/users.ts';

const declared = Object.entries(api).flatMap(([group, calls]) =>
  Object.entries(calls as Record<string, Call>)
    .filter(([, call]) => call.isRepeatable)
    .map(([name]) => `${group}.${name}`),
);

let app: TestApp;
let ann: TestUser;
let bob: TestUser;
/** The user on whom the super admin acts. */
let carol: TestUser;
let root: TestAdmin;
/**
 * Ann's objects: a message in the inbox, a deleted one, a tag, a draft, a held message, a signature
 * and an alias.
 */
let inboxId = '';
let deletedId = '';
let draft: Awaited<ReturnType<typeof makeDraft>>;
let draftId = '';
let heldId = '';
let signatureId = '';
let alias = '';
/** Another member of Ann's organization. */
let fellowId = '';
/** An event of Ann's, and the token of an invited guest. */
const event = { event_id: 'planning@keyfold.test', token: '' };

/**
 * Makes a user a member of another user's organization, as a used invitation does. Returns the id
 * of the account.
 */
async function joinOrganization(user: TestUser, owner: TestUser): Promise<string> {
  const userId = await userIdOf(app.db, user);
  const { organization_id: organizationId } = await app.db
    .selectFrom('organization_members')
    .select('organization_id')
    .where('user_id', '=', await userIdOf(app.db, owner))
    .executeTakeFirstOrThrow();
  await app.db
    .transaction()
    .execute(trx => insertMember(trx, { userId, organizationId, role: 'member', now: new Date() }));
  return userId;
}

async function makeDraft(user: TestUser) {
  const wrap = await wrapForSelf(createMessageKey(), randomBytes(32), selfOf(user));
  return {
    used_address: user.email,
    body: randomBytes(16 + 64).toString('base64'),
    summary: randomBytes(12 + 64).toString('base64'),
    key_used: wrap.key_used,
    encrypted_key: wrap.second_stage_key_encrypted,
    salt: wrap.salt,
  };
}

const tagName = 'Harbour';
const until = new Date(Date.now() + 86_400_000).toISOString();
const content = { html_content: '<p>Ann</p>', plain_text: 'Ann', is_default: true };
const rule = {
  name: 'Offers',
  conditions: [{ field: 'subject', test: 'contains', value: 'offer' } as const],
  actions: { star: true },
};
const spam_filters = { enabled: true, sensitivity: 'low' as const, custom_rules: ['winner'] };

beforeAll(async () => {
  app = await startTestApp();
  [ann, bob] = [await registerTestUser(app), await registerTestUser(app)];
  [carol, root] = [await registerTestUser(app), await registerTestAdmin(app, 'super')];
  const user_id = await userIdOf(app.db, ann);
  const mails = ['a', 'b'].map(() => makeNewMail(user_id, { ownAddress: ann.email }));
  const stored = await app.db.transaction().execute(trx => storeMails(trx, mails));
  [inboxId = '', deletedId = ''] = stored.map(({ id }) => id);
  const { client } = ann;
  await client.mail.remove({ email_id: [deletedId] });
  await client.tags.save({ tag: { name: tagName, color: 'gray' } });
  draft = await makeDraft(ann);
  draftId = (await client.sending.draft(draft)).data.draft_id;
  const message = { ...(await sealTestMessage(ann, { to: [bob] })), undo_seconds: 30 };
  heldId = (await client.sending.send_private(message)).data.id;
  signatureId = (await client.signatures.create({ name: 'Work', ...content })).data.id;
  alias = `alias.${ann.email}`;
  await client.addresses.create({ address: alias });
  await client.organization.create({ name: 'Harbor' });
  fellowId = await joinOrganization(bob, ann);
  const guests = {
    event_id: event.event_id,
    sequence: 0,
    organizer: ann.email,
    attendees: ['gwen@outside.test'],
  };
  event.token = (await client.calendar.tokens(guests)).data[0]?.token ?? '';
  await client.contacts.add_unverified({ email: bob.email });
  await client.records.save({
    kind: 'template',
    id: 'one',
    version: 0,
    sealed: 'AAAA',
    key_used: ann.identity.key_id,
  });
});
afterAll(() => app.close());

/** All repeatable calls, each with valid input. */
const calls: Readonly<Record<string, () => Promise<unknown>>> = {
  'sign_up.available': () =>
    app.client().sign_up.available({ username: 'nobody.yet', domain: 'keyfold.test', captcha: '' }),
  'mail.some': () => ann.client.mail.some({ ids: [inboxId, deletedId] }),
  'mail.read': () => ann.client.mail.read({ email_id: [inboxId], value: true }),
  'mail.star': () => ann.client.mail.star({ email_id: [inboxId], value: true }),
  'mail.archive': () => ann.client.mail.archive({ email_id: [inboxId], value: true }),
  'mail.remove': () => ann.client.mail.remove({ email_id: [inboxId], recoverable: true }),
  'mail.restore': () => ann.client.mail.restore({ email_id: [deletedId] }),
  'mail.keys': () => ann.client.mail.keys({ users: [bob.email] }),
  'mail.flag': () => ann.client.mail.flag({ email_id: [inboxId], value: true }),
  'mail.snooze': () => ann.client.mail.snooze({ email_id: [deletedId], until }),
  'rules.save': () => ann.client.rules.save({ rules: [rule] }),
  'tags.save': () => ann.client.tags.save({ tag: { name: 'New one', color: 'mint' } }),
  'tags.tag_email': () => ann.client.tags.tag_email({ email_id: [inboxId], tags: [tagName] }),
  'records.save': () =>
    ann.client.records.save({
      kind: 'template',
      id: 'two',
      version: 0,
      sealed: 'AAAA',
      key_used: ann.identity.key_id,
    }),
  'records.remove': () => ann.client.records.remove({ kind: 'template', id: 'one' }),
  'sending.draft': () => ann.client.sending.draft({ ...draft, draft_id: draftId }),
  'sending.unsend': () => ann.client.sending.unsend({ id: heldId }),
  'signatures.change': () => ann.client.signatures.change({ id: signatureId, name: 'Home', ...content }),
  'account.change_name': () => ann.client.account.change_name({ name: 'Ann Almeida' }),
  'addresses.change': () => ann.client.addresses.change({ address: alias, label: 'Shops', is_default: true }),
  'contacts.change': () =>
    ann.client.contacts.change({ email: bob.email, fingerprint: bob.mainKey.key_id, verified: true }),
  'security.save_settings': () =>
    ann.client.security.save_settings({ spam_filters, whitelist: [], blacklist: ['@spam.test'] }),
  'security.block': () => ann.client.security.block({ sender: 'eve@outside.test', value: true }),
  'admin.set_plan': () => root.client.admin.set_plan({ user_email: carol.email, plan: 'pro' }, root.csrf),
  'admin.suspend_user': () =>
    root.client.admin.suspend_user({ user_email: carol.email, reason: 'It sent spam' }, root.csrf),
  'admin.unsuspend_user': () => root.client.admin.unsuspend_user({ user_email: carol.email }, root.csrf),
  'admin.grant_admin': () =>
    root.client.admin.grant_admin({ user_email: carol.email, admin_level: 'standard' }, root.csrf),
  'organization.update': () => ann.client.organization.update({ name: 'Harbor Light' }),
  'organization.set_role': () => ann.client.organization.set_role({ user_id: fellowId, role: 'admin' }),
  'calendar.emailrsvp': () => app.client().calendar.emailrsvp({ ...event, response: 'accepted' }),
  'imports.known': () =>
    ann.client.imports.known({ messages: [{ message_id: '<a@x.test>', from: '', date: null }] }),
};

/** Removes times, which may advance: fields named as times, and the Date header of a draft. */
const timeless = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, part) => {
      if (name === 'headers') return part.replace(/^Date: .*$/m, 'Date:');
      return /_at$/.test(name) ? undefined : part;
    }),
  );

/** Returns Ann's data as her client reads it, and the audit entries of the admin. */
async function readAll() {
  const { client } = ann;
  const { version: _, ...counts } = (await client.mail.counts({})).data;
  return timeless([
    await client.auth.check({}),
    await client.mail.query({}),
    await client.rules.list({}),
    await client.signatures.list({}),
    await client.addresses.list({}),
    await client.contacts.list({}),
    await client.records.list({ kind: 'template' }),
    counts,
    await client.organization.members({}),
    await client.organization.log({}),
    await root.client.admin.audit({}, root.csrf),
    (await readCounters(app.db)).kept,
  ]);
}

test('every call declared as repeatable is tested here', () => {
  expect(Object.keys(calls).sort()).toEqual(declared.sort());
});

test.each(Object.entries(calls))('%s called twice has the same effect as once', async (_, make) => {
  const first = await make();
  const left = await readAll();
  expect(timeless(await make())).toEqual(timeless(first));
  expect(await readAll()).toEqual(left);
});

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    error => (error instanceof CallError ? error.code : Promise.reject(error)),
  );

test.each(['admin', 'member'] as const)(
  'an owner who demotes themselves to %s can repeat that request, and make no other one',
  async role => {
    await ann.client.organization.set_role({ user_id: fellowId, role: 'owner' });
    const { organization } = bob.client;
    const first = await organization.set_role({ user_id: fellowId, role });
    expect(first.data.role).toBe(role);
    const left = await readAll();
    expect(timeless(await organization.set_role({ user_id: fellowId, role }))).toEqual(timeless(first));
    const annId = await userIdOf(app.db, ann);
    for (const [user_id, wanted] of [
      [fellowId, 'owner'],
      [fellowId, role === 'admin' ? 'member' : 'admin'],
      [annId, 'owner'],
      [annId, role],
      ['nobody', role],
    ] as const)
      expect(await codeOf(organization.set_role({ user_id, role: wanted })), wanted).toBe('forbidden');
    expect(await readAll()).toEqual(left);
  },
);

test('the counters are correct after all calls', async () => {
  const { kept, recounted } = await readCounters(app.db);
  expect(kept).toEqual(recounted);
});
