// Key rotation through the API (docs/crypto.md, Retired keys): it is atomic, nothing is stored
// under old keys afterwards, and no keys are destroyed while something needs them.
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { MainKey, User } from '@keyfold/contract';
import { RETIRED_KEYS_MAX } from '@keyfold/contract/limits';
import { createOpener } from '@keyfold/crypto/opener';
import { openRetired, sealRetired } from '@keyfold/crypto/retired';
import { type Identity, unlockVault } from '@keyfold/crypto/vault';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { sealTestMessage } from '../../../../tests/harness/sending.ts';
import {
  createTestKeys,
  registerTestUser,
  type TestUser,
  userIdOf,
} from '../../../../tests/harness/users.ts';
import { RETIRED_KEY_KEPT_MS } from '../../../base/limits.ts';

let app: TestApp;
let clock: TestClock;
let ann: TestUser;
let bob: TestUser;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
beforeEach(async () => {
  [ann, bob] = await Promise.all([registerTestUser(app), registerTestUser(app)]);
});
afterAll(() => app.close());

const record = { kind: 'setting', id: 'a', sealed: 'AAAA' } as const;

type Replaced = TestUser & { readonly before: readonly { identity: Identity; generation: number }[] };

/** Builds a client's rotation request, and returns it with the user. */
async function prepare(user: TestUser | Replaced) {
  const { identity, mainKey } = await createTestKeys(user.vaultKey);
  const before = 'before' in user ? user.before : [];
  const all = [...before, { identity: user.identity, generation: before.length + 1 }];
  const input = {
    password: user.loginHash,
    from: user.identity.key_id,
    main_key: mainKey,
    retired: await Promise.all(all.map(one => sealRetired(identity, one.identity, one.generation))),
  };
  const after: Replaced = { ...user, identity, mainKey, before: all };
  return { input, after };
}
async function rotate(user: TestUser): Promise<Replaced> {
  const { input, after } = await prepare(user);
  await user.client.key_rotation.rotate(input);
  return after;
}

/** Stores a message from Bob in Ann's mailbox, and Ann's copy of a message that she sent. */
async function fillMailbox() {
  await bob.client.sending.send_private(await sealTestMessage(bob, { to: [ann], subject: 'In' }));
  await ann.client.sending.send_private(await sealTestMessage(ann, { to: [bob], subject: 'Out' }));
}

const wrapOf = (user: TestUser) => ({
  key_used: user.identity.key_id,
  encrypted_key: randomBytes(60).toString('base64'),
  salt: randomBytes(32).toString('base64'),
});

/** Opens the oldest of a user's retired keys. */
function openFirst(inUse: Identity, { retired_keys: [first] }: User): Promise<Identity> {
  if (first === undefined) throw new Error('nothing retired');
  return openRetired(inUse, first);
}

/** Rewraps everything that is listed, as a client does. */
async function rewrapAll(user: Replaced): Promise<number> {
  const openers = new Map(
    await Promise.all(
      user.before.map(async one => [one.identity.key_id, await createOpener(one.identity)] as const),
    ),
  );
  const inUse = await createOpener(user.identity);
  const { data } = await user.client.key_rotation.wraps({});
  const wraps = await Promise.all(
    data.map(async ({ id, binding, key_used, ...wrap }) => {
      const key = await openers.get(key_used ?? '')?.openKey(wrap, binding);
      if (key === undefined) throw new Error('unknown keys');
      return { email_id: id, binding, ...(await inUse.wrapForSelf(key, binding)) };
    }),
  );
  if (wraps.length > 0) await user.client.mail.rewrap({ wraps });
  return wraps.length;
}

describe('new keys', () => {
  test('apply to all addresses and a new key log version, and the user gets the old ones too', async () => {
    const alias = `alias.${randomUUIDv7()}@keyfold.test`;
    await ann.client.addresses.create({ address: alias });
    await bob.client.mail.keys({ users: [ann.email, alias] });
    const { input, after } = await prepare(ann);
    const { data: user } = await ann.client.key_rotation.rotate(input);
    expect(user.main_key).toEqual(input.main_key);
    expect(user.retired_keys).toEqual(input.retired);
    const opened = await unlockVault(ann.vaultKey, user.main_key);
    expect(await openFirst(opened, user)).toEqual(ann.identity);
    for (const address of [user.email, ...user.addresses]) {
      const { data } = await bob.client.mail.keys({ users: [address] });
      expect(data).toMatchObject([{ fingerprint: after.identity.key_id }]);
      const history = await ann.client.key_log.history({ address });
      expect(history.data.map(({ version }) => version)).toEqual([1, 2]);
    }
    const later = app.client();
    const { data } = await later.sign_in.login({
      email: ann.email,
      password: ann.loginHash,
      keep_signed_in: false,
    });
    expect(data).toMatchObject({ main_key: input.main_key, retired_keys: input.retired });
  });

  test('end other sessions, the recovery kit and the stored index, and leave a notice', async () => {
    const other = app.client();
    await other.sign_in.login({ email: ann.email, password: ann.loginHash, keep_signed_in: true });
    const kit = { proof: randomBytes(32).toString('hex'), main_key: ann.mainKey };
    await ann.client.account.save_recovery({ password: ann.loginHash, recovery: kit });
    const shown = { proof: randomBytes(32).toString('hex'), main_key: ann.mainKey };
    const { save_recovery } = ann.client.account;
    await save_recovery({ password: ann.loginHash, recovery: shown, confirmed: false });
    await ann.client.search.add_segment({ head: 'AAAA' }, { file: new Blob([randomBytes(10)]) });
    const { input } = await prepare(ann);
    const { data: user } = await ann.client.key_rotation.rotate(input);
    expect(user).toMatchObject({ recovery_at: null, recovery_shown_at: null });
    expect(await codeOf(other.auth.check({}))).toBe('401 not_logged_in');
    expect(await codeOf(app.client().recovery.recover({ email: ann.email, proof: kit.proof }))).toBe(
      '403 recovery_refused',
    );
    expect((await ann.client.search.segments({})).data).toEqual([]);
    const { data: mails } = await ann.client.mail.query({});
    expect(mails.some(mail => mail.alert && mail.headers.includes('keys_replaced'))).toBe(true);
  });

  test('of two concurrent requests are accepted once, and the other gets a conflict', async () => {
    const [one, two] = await Promise.all([prepare(ann), prepare(ann)]);
    const codes = await Promise.all(
      [one, two].map(({ input }) => codeOf(ann.client.key_rotation.rotate(input))),
    );
    expect(codes.toSorted()).toEqual(['409 keys_replaced', 'none']);
    const { data } = await ann.client.auth.check({});
    expect(data.retired_keys.map(({ key_id }) => key_id)).toEqual([ann.identity.key_id]);
  });

  test('change nothing without the password, or when they are incomplete, not new or replace other keys', async () => {
    const { input } = await prepare(ann);
    const other = await createTestKeys();
    const refusals: [string, Partial<typeof input>][] = [
      ['403 password_wrong', { password: randomBytes(32).toString('hex') }],
      ['409 keys_replaced', { from: bob.identity.key_id }],
      ['422 keys_refused', { main_key: ann.mainKey }],
      ['422 keys_refused', { main_key: { ...input.main_key, dh_public_key: ann.mainKey.dh_public_key } }],
      ['422 keys_refused', { main_key: { ...input.main_key, key_id: other.identity.key_id } }],
      ['422 keys_refused', { retired: input.retired.map(one => ({ ...one, generation: 2 })) }],
      ['422 keys_refused', { retired: input.retired.map(one => ({ ...one, key_id: bob.identity.key_id })) }],
      ['422 keys_refused', { retired: [...input.retired, ...input.retired] }],
      ['400 malformed', { retired: [] }],
      ['400 malformed', { retired: input.retired.map(one => ({ ...one, sealed: 'AAAA' })) }],
    ];
    for (const [code, change] of refusals)
      expect(await codeOf(ann.client.key_rotation.rotate({ ...input, ...change })), code).toBe(code);
    const { data } = await ann.client.auth.check({});
    expect([data.main_key, data.retired_keys]).toEqual([ann.mainKey, []]);
  });

  test('must come with all previous keys and cannot be one of them', async () => {
    const once = await rotate(ann);
    const { input } = await prepare(once);
    expect(await codeOf(once.client.key_rotation.rotate({ ...input, retired: input.retired.slice(1) }))).toBe(
      '422 keys_refused',
    );
    const back = { ...input, main_key: ann.mainKey };
    expect(await codeOf(once.client.key_rotation.rotate(back))).toBe('422 keys_refused');
    const twice = await rotate(once);
    const { data } = await twice.client.key_rotation.retired({});
    expect(data.map(({ key_id }) => key_id)).toEqual([once.identity.key_id, ann.identity.key_id]);
  });
});

test('new keys are refused with a clear error when 20 old ones are kept', async () => {
  const { input } = await prepare(ann);
  const others = Array.from({ length: RETIRED_KEYS_MAX }, (_, at) => ({
    key_id: randomBytes(20).toString('base64'),
    generation: at + 1,
    sealed: randomBytes(156).toString('base64'),
  }));
  await app.db
    .insertInto('retired_keys')
    .values(
      await Promise.all(
        others.map(async one => ({
          ...one,
          user_id: await userIdOf(app.db, ann),
          sealed: Buffer.from(one.sealed, 'base64'),
          mails: 0,
          retired_at: clock.now(),
        })),
      ),
    )
    .execute();
  const last = input.retired.map(one => ({ ...one, generation: RETIRED_KEYS_MAX + 1 }));
  const { rotate: exchange } = ann.client.key_rotation;
  expect(await codeOf(exchange({ ...input, retired: [...others, ...last] }))).toBe('422 limit_reached');
  expect((await ann.client.auth.check({})).data.main_key).toEqual(ann.mainKey);
});

describe('content under old keys', () => {
  test('is refused in drafts, messages, wraps and records', async () => {
    const stale = ann;
    const { data: draft } = await ann.client.sending.empty(wrapOf(ann));
    const message = await sealTestMessage(ann, { to: [bob] });
    await ann.client.records.save({ ...record, version: 0, key_used: ann.identity.key_id });
    await rotate(ann);
    const { body, summary } = message;
    const saved = { used_address: ann.email, subject: '[...]', body, summary, ...wrapOf(stale) };
    const { client } = ann;
    expect(await codeOf(client.sending.empty(wrapOf(stale)))).toBe('409 keys_replaced');
    expect(await codeOf(client.sending.draft({ ...saved, draft_id: draft.draft_id }))).toBe(
      '409 keys_replaced',
    );
    expect(await codeOf(client.sending.send_private(message))).toBe('422 keys_refused');
    const wrap = { email_id: draft.draft_id, ...wrapOf(stale) };
    expect(await codeOf(client.mail.rewrap({ wraps: [wrap] }))).toBe('409 keys_replaced');
    const key_used = ann.identity.key_id;
    expect(await codeOf(client.records.save({ ...record, version: 1, key_used }))).toBe('409 keys_replaced');
  });

  test('is refused in messages from other users', async () => {
    const message = await sealTestMessage(bob, { to: [ann] });
    await rotate(ann);
    expect(await codeOf(bob.client.sending.send_private(message))).toBe('409 recipient_key_changed');
  });

  test('everything saved during a key change is labeled with the keys it was encrypted with', async () => {
    const { input, after } = await prepare(ann);
    await Promise.all([
      ann.client.key_rotation.rotate(input),
      ...Array.from({ length: 6 }, () => codeOf(ann.client.sending.empty(wrapOf(ann)))),
      ...Array.from({ length: 6 }, () => codeOf(ann.client.sending.empty(wrapOf(after)))),
    ]);
    const { data } = await ann.client.mail.query({ draft: true, count: 50 });
    const { data: old } = await ann.client.key_rotation.wraps({});
    const isOld = data.filter(mail => mail.key_used === ann.identity.key_id).map(mail => mail.id);
    expect(old.map(({ id }) => id).toSorted()).toEqual(isOld.toSorted());
    expect(data.every(mail => [ann, after].some(user => user.identity.key_id === mail.key_used))).toBe(true);
  });
});

describe('old messages', () => {
  test('are listed until they are rewrapped, and then open in lists with the new keys', async () => {
    await fillMailbox();
    const after = await rotate(ann);
    await bob.client.sending.send_private(await sealTestMessage(bob, { to: [after], subject: 'New' }));
    const { data: listed } = await after.client.key_rotation.wraps({});
    expect(listed).toHaveLength(2);
    expect(new Set(listed.map(one => one.key_used))).toEqual(new Set([ann.identity.key_id]));
    const [first] = listed;
    expect((await after.client.key_rotation.wraps({ count: 1 })).data).toEqual([first]);
    expect((await after.client.key_rotation.wraps({ after: first?.id })).data).toEqual(listed.slice(1));
    expect((await after.client.key_rotation.retired({})).data).toMatchObject([{ mails: 2, waiting: 2 }]);
    expect(await rewrapAll(after)).toBe(2);
    expect((await after.client.key_rotation.wraps({})).data).toEqual([]);
    expect((await after.client.key_rotation.retired({})).data).toMatchObject([{ mails: 2, waiting: 0 }]);
    const opener = await createOpener(after.identity);
    const { data: rows } = await after.client.mail.query({ view: 'summary' });
    for (const row of rows.filter(one => !one.alert)) {
      expect(row.key_used).toBe(after.identity.key_id);
      await opener.openSummary({ ...row, summary: row.summary ?? '', binding: row.binding ?? '' });
    }
    // The sender's wrap stays: it authenticates the sender as long as the old keys exist.
    const full = await after.client.mail.query({});
    const received = full.data.filter(one => one.ciphertext !== null && !one.alert);
    expect(received.map(one => one.key_used).toSorted()).toEqual(
      [ann.identity.key_id, after.identity.key_id].toSorted(),
    );
  });

  test('that changed meanwhile keep the wrap that fits them', async () => {
    const { data: draft } = await ann.client.sending.empty(wrapOf(ann));
    const after = await rotate(ann);
    const { data: old } = await after.client.key_rotation.wraps({});
    const { body, summary } = await sealTestMessage(after, { to: [bob] });
    const saved = wrapOf(after);
    const input = { used_address: ann.email, subject: '[...]', body, summary, ...saved };
    await after.client.sending.draft({ ...input, draft_id: draft.draft_id });
    const late = { email_id: draft.draft_id, binding: old[0]?.binding ?? '', ...wrapOf(after) };
    await after.client.mail.rewrap({ wraps: [late] });
    const { data: mail } = await after.client.mail.one({ id: draft.draft_id });
    expect(mail).toMatchObject({ encrypted_key: saved.encrypted_key, salt: saved.salt });
  });

  test('can be listed and rewrapped only by their owner', async () => {
    await fillMailbox();
    const after = await rotate(ann);
    const { data } = await after.client.key_rotation.wraps({});
    expect((await bob.client.key_rotation.wraps({})).data).toEqual([]);
    expect((await bob.client.key_rotation.retired({})).data).toEqual([]);
    const wrap = { email_id: data[0]?.id ?? '', binding: data[0]?.binding ?? '', ...wrapOf(bob) };
    expect(await codeOf(bob.client.mail.rewrap({ wraps: [wrap] }))).toBe('404 not_found');
    expect(await codeOf(after.client.key_rotation.wraps({ after: 'x' }))).toBe('400 malformed');
    const destroy = { key_id: ann.identity.key_id, password: bob.loginHash };
    expect(await codeOf(bob.client.key_rotation.destroy(destroy))).toBe('404 not_found');
  });
});

describe('old keys', () => {
  const destroy = (user: TestUser, keyId: string, password = user.loginHash) =>
    user.client.key_rotation.destroy({ key_id: keyId, password });

  test('are destroyed once unneeded and old enough, together with the senders’ wraps', async () => {
    await fillMailbox();
    await ann.client.records.save({ ...record, version: 0, key_used: ann.identity.key_id });
    const after = await rotate(ann);
    const old = ann.identity.key_id;
    expect(await codeOf(destroy(after, old))).toBe('409 keys_needed');
    clock.advance(RETIRED_KEY_KEPT_MS);
    expect(await codeOf(destroy(after, old))).toBe('409 keys_needed');
    await rewrapAll(after);
    expect(await codeOf(destroy(after, old))).toBe('409 keys_needed');
    const key_used = after.identity.key_id;
    await after.client.records.save({ ...record, version: 1, key_used });
    expect(await codeOf(destroy(after, old, randomBytes(32).toString('hex')))).toBe('403 password_wrong');
    expect(await codeOf(destroy(after, key_used))).toBe('404 not_found');
    expect((await destroy(after, old)).data).toEqual({ remaining: 0 });
    expect(await codeOf(destroy(after, old))).toBe('404 not_found');
    expect((await after.client.auth.check({})).data.retired_keys).toEqual([]);
    const opener = await createOpener(after.identity);
    const { data } = await after.client.mail.query({});
    for (const mail of data.filter(one => !one.alert)) {
      expect(mail).toMatchObject({ ciphertext: null, dh_public: null, key_used });
      await opener.open({ ...mail, body: mail.body ?? '' });
    }
    const left = await app.db
      .selectFrom('mails')
      .select('id')
      .where('user_id', '=', await userIdOf(app.db, ann))
      .where(eb => eb.or([eb('key_used', '=', old), eb('own_key_used', '=', old)]))
      .execute();
    expect(left).toEqual([]);
  });

  test('stay before the waiting period is over, even when nothing needs them', async () => {
    const after = await rotate(ann);
    clock.advance(RETIRED_KEY_KEPT_MS - 1_000);
    expect(await codeOf(destroy(after, ann.identity.key_id))).toBe('409 keys_needed');
  });

  test('stay after a password change', async () => {
    const after = await rotate(ann);
    const changed: { main_key: MainKey; old_password: string; new_password: string } = {
      main_key: after.mainKey,
      old_password: ann.loginHash,
      new_password: randomBytes(32).toString('hex'),
    };
    await after.client.account.change_password(changed);
    const { data } = await after.client.auth.check({});
    expect(await openFirst(after.identity, data)).toEqual(ann.identity);
  });
});
