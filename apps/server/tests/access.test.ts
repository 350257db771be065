// The permission matrix, generated from the contract: every call without a session, as a suspended
// user, and as a user other than the owner of the named objects (docs/spec-map.md 6,
// docs/api-conventions.md: 404 for objects of other users). access-table.ts lists the expected
// responses.
import { randomBytes } from 'node:crypto';
import { api, type Call } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { createFileKey, sealWholeAttachment } from '@keyfold/crypto/attachment';
import { createMessageKey } from '@keyfold/crypto/message';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallName } from '../src/http/rate-limits.ts';
import { ACCESS, type Foreign, type World } from './access-table.ts';
import { startTestApp, type TestApp } from './harness/app.ts';
import { pushSubscription } from './harness/push.ts';
import { addKey } from './harness/second-factor.ts';
import { sealTestMessage } from './harness/sending.ts';
import { registerTestUser, type TestUser } from './harness/users.ts';

const calls = Object.entries(api).flatMap(([group, byName]) =>
  Object.entries(byName).map(([name, call]) => ({
    name: `${group}.${name}` as CallName,
    call: call as Call,
  })),
);
const guarded = calls.filter(({ call }) => call.access !== 'public');
const foreign = calls.flatMap(({ name, call }) => {
  const row = ACCESS[name];
  return typeof row === 'object' ? [{ name, call, row }] : [];
});

let app: TestApp;
let alice: TestUser;
let bob: TestUser;
let world: World;

async function sealContainer(): Promise<Blob> {
  const sealed = await sealWholeAttachment({
    messageKey: createMessageKey(),
    fileKey: createFileKey(),
    meta: { name: 'a.txt', type: 'text/plain', size: 3 },
    bytes: new TextEncoder().encode('abc'),
  });
  return new Blob([Buffer.from(sealed)]);
}

/** The wrapped key of a draft. These tests never open it. */
const wrapOf = (user: TestUser) => ({
  key_used: user.mainKey.key_id,
  encrypted_key: randomBytes(60).toString('base64'),
  salt: randomBytes(32).toString('base64'),
});

beforeAll(async () => {
  app = await startTestApp();
  [alice, bob] = [await registerTestUser(app), await registerTestUser(app)];
  const { client } = alice;
  const { data: sent } = await client.sending.send_private(await sealTestMessage(alice, { to: [alice] }));
  const { data: held } = await client.sending.send_private({
    ...(await sealTestMessage(alice, { to: [alice] })),
    undo_seconds: 30,
  });
  const { data: draft } = await client.sending.empty(wrapOf(alice));
  const { data: container } = await client.sending.upload(draft, { file: await sealContainer() });
  const { data: segment } = await client.search.add_segment(
    { head: 'AAAA' },
    { file: new Blob([randomBytes(10)]) },
  );
  const { data: signature } = await client.signatures.create({
    name: 'Hers',
    html_content: '<p>Hers</p>',
    plain_text: 'Hers',
    is_default: false,
  });
  const { data: sessions } = await client.account.sessions({});
  await client.domains.register({ domain: 'alice-claims.example' });
  await client.organization.create({ name: 'Hers' });
  const { data: invited } = await client.organization.invite({
    name: 'Dora',
    username: 'dora.d',
    domain: 'keyfold.test',
  });
  const { data: imported } = await client.server_imports.start_pst(
    { import_options: '{}' },
    { file: new Blob(['!BDN']) },
  );
  const { data: pushed } = await client.notifications.register({
    platform: 'unifiedpush',
    token: pushSubscription('https://push.example/hers').token,
  });
  const outgoing = await sealTestMessage(bob, { to: [bob] });
  world = {
    mailId: sent.id,
    heldId: held.id,
    draftId: draft.draft_id,
    containerId: container.id,
    segmentId: segment.id,
    signatureId: signature.id,
    sessionId: sessions[0]?.id ?? '',
    passkeyId: (await addKey(alice)).id,
    address: alice.email,
    domain: 'alice-claims.example',
    memberId: invited.user_id,
    serverImportId: imported.import_id,
    pushDeviceId: pushed.id,
    message: outgoing,
    ownWrap: wrapOf(bob),
    draft: {
      used_address: bob.email,
      subject: '[...]',
      body: outgoing.body,
      summary: outgoing.summary,
      ...wrapOf(bob),
    },
  };
});
afterAll(() => app.close());

test('every call of the contract has exactly one row, and no row is obsolete', () => {
  expect(Object.keys(ACCESS).sort()).toEqual(calls.map(({ name }) => name).sort());
  for (const { name, call } of calls) expect(ACCESS[name] === 'public', name).toBe(call.access === 'public');
});

test('every call with an id in its path states what other users get', () => {
  for (const { name, call } of calls)
    if (call.path.includes('/:')) expect(typeof ACCESS[name], name).toBe('object');
});

const knock = (one: TestUser | null, { path, method }: Call) =>
  (one?.client ?? app.client()).fetch(path.replace(/:[a-z_]+/, 'nothing'), {
    method,
    ...(method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } }),
  });

describe('a client without a session', () => {
  test.each(guarded)('$name returns not_logged_in', async ({ call }) => {
    const reply = await knock(null, call);
    expect(reply.status).toBe(401);
    expect(await reply.json()).toEqual({
      success: false,
      code: 'not_logged_in',
      message: 'Login required',
    });
  });
});

test('a suspended user gets 403 from every protected call', async () => {
  const suspended = await registerTestUser(app);
  await app.db
    .updateTable('users')
    .set({ status: 'suspended' })
    .where('email', '=', suspended.email)
    .execute();
  for (const { name, call } of guarded) {
    const reply = await knock(suspended, call);
    expect(reply.status, name).toBe(403);
    expect(await reply.json(), name).toMatchObject({ code: 'account_suspended' });
  }
  const login = { email: suspended.email, password: suspended.loginHash };
  await expect(app.client().sign_in.login(login)).rejects.toMatchObject({ code: 'account_suspended' });
});

/** Makes a call of a user as the typed client does. Returns the status, and the data on success. */
async function ask(user: TestUser, name: CallName, row: Foreign, call: Call) {
  const [group = '', one = ''] = name.split('.');
  const client = user.client as unknown as Record<
    string,
    Record<string, (...args: unknown[]) => Promise<unknown>>
  >;
  const options = call.transport === 'upload' ? { file: await sealContainer() } : {};
  try {
    const answer = await client[group]?.[one]?.(row.input(world), options);
    return { status: 200, answer };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { status: error.status, answer: null };
  }
}

const stateOf = async (user: TestUser) => ({
  mails: (await user.client.mail.query({ threading: false })).data,
  drafts: (await user.client.mail.query({ draft: true })).data,
  signatures: (await user.client.signatures.list({})).data,
  segments: (await user.client.search.segments({})).data,
  sessions: (await user.client.account.sessions({})).data.map(({ id }) => id),
  secondFactor: (await user.client.second_factor.status({})).data,
  organization: (await user.client.organization.get({})).data,
  members: (await user.client.organization.members({})).data.map(({ last_active_at, ...member }) => member),
});

describe('another user', () => {
  test.each(foreign)('$name reveals and changes nothing of another account', async ({ name, call, row }) => {
    const before = await stateOf(alice);
    const { status, answer } = await ask(bob, name, row, call);
    expect(status).toBe(row.status);
    if (status === 200) expect(answer).toMatchObject({ data: [] });
    expect(await stateOf(alice)).toEqual(before);
  });

  test('cannot use the containers or signatures of others in a send', async () => {
    const send = (change: object) => bob.client.sending.send_private({ ...world.message, ...change });
    await expect(send({ forwarded_attachments: [world.containerId] })).rejects.toMatchObject({ status: 404 });
    await expect(send({ signature_id: world.signatureId })).rejects.toMatchObject({ status: 404 });
  });

  test('cannot send from an address that is not theirs', async () => {
    const outgoing = { ...world.message, used_address: alice.email };
    await expect(bob.client.sending.send_private(outgoing)).rejects.toMatchObject({ status: 403 });
  });
});
