// Fifty concurrent calls over two servers on one database. The tables are checked afterwards, not
// only the responses (docs/reliability.md#goals). Prints one line for each race.
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMessageKey, wrapForSelf } from '@keyfold/crypto/message';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../src/app.ts';
import { FIRST_CONTACT_BONUS_BYTES, PLAN_LIMITS } from '../src/base/limits.ts';
import { forgetScheduled } from '../src/features/accounts/records/index.ts';
import { createInvitation } from '../src/features/accounts/sign-up-codes/index.ts';
import { setAdmin } from '../src/features/accounts/users/admins.ts';
import { purgeDeletedMail } from '../src/features/mailbox/messages/jobs.ts';
import { createReleaser } from '../src/features/outbound/sending/index.ts';
import { createTestClient, type TestClient } from './harness/client.ts';
import { sealImported } from './harness/imported.ts';
import { readCounters } from './harness/mailbox.ts';
import { codeAt, turnTotpOn } from './harness/second-factor.ts';
import { sealTestMessage } from './harness/sending.ts';
import { createTestKeys, selfOf, type TestUser } from './harness/users.ts';
import { AT_ONCE, containerUnder, ofUser, patiently, race, say, useTrack, won } from './races/track.ts';

const FITTING = 7;

const track = useTrack();
const { blobs, clock, clientAt, users, idOf, count, expectTrueCounters, usedBy, withRoom } = track;

test('quota: of fifty uploads only those that fit are kept, and their bytes are counted once', async () => {
  const [dora] = await users(1);
  if (dora === undefined) throw new Error('no user');
  const id = await idOf(dora);
  const messageKey = createMessageKey();
  const wrap = await wrapForSelf(messageKey, createHash('sha256').update('').digest(), selfOf(dora));
  const { data } = await dora.client.sending.empty({
    key_used: wrap.key_used,
    encrypted_key: wrap.second_stage_key_encrypted,
    salt: wrap.salt,
  });
  const bytes = Buffer.from(await containerUnder(messageKey));
  await withRoom(dora, bytes.length * FITTING + 100, async () => {
    const answers = await race(n =>
      patiently(() =>
        clientAt(n, dora).sending.upload({ draft_id: data.draft_id }, { file: new Blob([bytes]) }),
      ),
    );
    const stored = await count('mail_attachments', ofUser(id));
    say('quota, uploads', answers, `${stored} files of ${FITTING} that fit`);
    expect(stored).toBe(FITTING);
    expect(won(answers)).toBe(FITTING);
    expect(new Set(answers)).toEqual(new Set(['none', '507 quota_exceeded']));
    // Refused uploads left no bytes behind.
    expect(await count('blobs')).toBe(FITTING);
    expect(blobs.ids()).toHaveLength(FITTING);
  });
  await expectTrueCounters();
});

test('quota: of fifty messages to one recipient only those that fit arrive, and senders keep only their own', async () => {
  const [ann, ben] = (await users(2)) as [TestUser, TestUser];
  await track.app.db.updateTable('users').set({ plan: 'pro' }).where('kdf_email', '=', ann.email).execute();
  const [annId, benId] = [await idOf(ann), await idOf(ben)];
  const request = await sealTestMessage(ann, { to: [ben] });
  await ann.client.sending.send_private(request);
  const size = await usedBy(benId);
  await withRoom(ben, size * FITTING + 100, async () => {
    const answers = await race(n => clientAt(n, ann).sending.send_private(request));
    const [arrived, sent] = [await count('mails', ofUser(benId)), await count('mails', ofUser(annId))];
    say('quota, letters', answers, `${arrived - 1} arrived, ${sent - 1} sent copies`);
    expect(won(answers)).toBe(FITTING);
    expect([arrived, sent]).toEqual([FITTING + 1, FITTING + 1]);
  });
  await expectTrueCounters();
});

test('send: fifty requests with one key send one message, locally and outside', async () => {
  const [ann, ben] = (await users(2)) as [TestUser, TestUser];
  const [annId, benId] = [await idOf(ann), await idOf(ben)];
  const request = await sealTestMessage(ann, { to: [ben, 'friend@outside.test'] });
  const answers = await race(n =>
    clientAt(n, ann).sending.send_private(request, { headers: { 'idempotency-key': 'one' } }),
  );
  const [sent, arrived, queued] = [
    await count('mails', ofUser(annId)),
    await count('mails', ofUser(benId)),
    await count('outbound_recipients'),
  ];
  say('one send', answers, `${sent} sent, ${arrived} arrived, ${queued} queued`);
  expect(won(answers)).toBe(AT_ONCE);
  expect([sent, arrived, queued]).toEqual([1, 1, 1]);
  await expectTrueCounters();
});

test('recall: of fifty recalls and three releases at most one recall wins, and never both', async () => {
  const [ann, ben] = (await users(2)) as [TestUser, TestUser];
  const benId = await idOf(ben);
  const request = { ...(await sealTestMessage(ann, { to: [ben] })), undo_seconds: 1 };
  const { data } = await ann.client.sending.send_private(request);
  clock.advance(1_000);
  const releases = [track.app.deps, track.other.deps, track.app.deps].map(deps =>
    createReleaser(deps).releaseNext(),
  );
  const answers = await race(n => clientAt(n, ann).sending.unsend({ id: data.id }));
  await Promise.all(releases);
  const arrived = await count('mails', ofUser(benId));
  const [held, own] = [
    await count('held_sends', sql`mail_id = ${data.id}`),
    await count('mails', sql`id = ${data.id}`),
  ];
  say('recall against release', answers, `${arrived} arrived, ${held} held`);
  expect([held, own]).toEqual([0, 1]);
  expect(arrived).toBe(won(answers) === 0 ? 1 : 0);
  expect((await ann.client.mail.one({ id: data.id })).data).toMatchObject({
    draft: arrived === 0,
    sent: arrived === 1,
  });
  await expectTrueCounters();
});

test('bonus: fifty first contacts grant it once', async () => {
  const [ann, ben, cat] = (await users(3)) as [TestUser, TestUser, TestUser];
  const id = await idOf(ann);
  const answers = await race(n =>
    clientAt(n, ann).contacts.add_unverified({ email: n % 3 === 0 ? ben.email : cat.email }),
  );
  const { bonus_bytes } = await track.app.db
    .selectFrom('users')
    .select('bonus_bytes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const kept = await count('contacts', ofUser(id));
  say('bonus', answers, `${bonus_bytes} bytes, ${kept} contacts`);
  expect(bonus_bytes).toBe(FIRST_CONTACT_BONUS_BYTES);
  expect(kept).toBe(2);
});

test('share code: only one of fifty concurrent uses succeeds', async () => {
  const [ann, ...guests] = (await users(6)) as [TestUser, ...TestUser[]];
  const { data } = await ann.client.contacts.generate({});
  const answers = await race(n => clientAt(n, guests[n % guests.length]).contacts.add({ code: data.code }));
  const annId = await idOf(ann);
  const spender = await Promise.all(guests.map(idOf));
  const kept = await count('contacts', sql`user_id = any(${spender}::uuid[])`);
  say('share code', answers, `${kept} contacts, ${await count('share_codes', ofUser(annId))} codes left`);
  expect(won(answers)).toBe(1);
  expect(kept).toBe(1);
  expect(await count('share_codes', sql`user_id = ${annId}::uuid and kept_until is null`)).toBe(0);
});

test('addresses: fifty concurrent requests create as many as the plan allows', async () => {
  const [ann] = (await users(1)) as [TestUser];
  const id = await idOf(ann);
  const answers = await race(n => clientAt(n, ann).addresses.create({ address: `race${n}@keyfold.test` }));
  // One address is the account's own.
  const aliases = (await count('addresses', ofUser(id))) - 1;
  say('limit of addresses', answers, `${aliases} aliases of ${PLAN_LIMITS.free.addressLimit}`);
  expect(aliases).toBe(PLAN_LIMITS.free.addressLimit);
  expect(won(answers)).toBe(PLAN_LIMITS.free.addressLimit);
});

test('domains: fifty concurrent claims create as many as the plan allows', async () => {
  const [ann] = (await users(1)) as [TestUser];
  const id = await idOf(ann);
  const answers = await race(n => clientAt(n, ann).domains.register({ domain: `race${n}.example` }));
  const kept = await count('domains', ofUser(id));
  say('limit of domains', answers, `${kept} domains of ${PLAN_LIMITS.free.domainLimit}`);
  expect(kept).toBe(PLAN_LIMITS.free.domainLimit);
  expect(won(answers)).toBe(PLAN_LIMITS.free.domainLimit);
});

test('one address: only one of fifty concurrent requests gets it', async () => {
  const wanting = await users(5);
  const address = 'the.only.one@keyfold.test';
  const answers = await race(n => clientAt(n, wanting[n % wanting.length]).addresses.create({ address }));
  const kept = await count('addresses', sql`address = ${address}`);
  say('one address', answers, `${kept} of it`);
  expect([kept, won(answers)]).toEqual([1, 1]);
});

test('one username: only one of fifty registrations succeeds, and the others leave nothing behind', async () => {
  const before = [await count('users'), await count('mailboxes'), await count('sessions')];
  const { mainKey } = await createTestKeys();
  const answers = await race(n =>
    clientAt(n).sign_up.register({
      name: 'Racer',
      username: 'racer',
      domain: 'keyfold.test',
      password: randomBytes(32).toString('hex'),
      captcha: '',
      main_key: mainKey,
    }),
  );
  const after = [await count('users'), await count('mailboxes'), await count('sessions')];
  const added = after.map((now, n) => now - (before[n] ?? 0));
  say('one name', answers, `${added.join(', ')} accounts, mailboxes and sessions more`);
  expect(won(answers)).toBe(1);
  expect(added).toEqual([1, 1, 1]);
  expect(await count('addresses', sql`address = 'racer@keyfold.test'`)).toBe(1);
});

test('an invitation with seven uses left admits seven of fifty users', async () => {
  const closed = await startApp(
    { ...track.app.config, isInvitationNeeded: true },
    track.app.database.connection,
    {
      blobs,
      clock,
    },
  );
  try {
    const { id, code } = await createInvitation(
      track.app.deps,
      { kind: 'operator' },
      { uses: FITTING, note: '', days: 1 },
    );
    const { mainKey } = await createTestKeys();
    const before = await count('users');
    const answers = await race(n =>
      createTestClient(`http://127.0.0.1:${closed.httpPort}`).sign_up.register({
        name: 'Invited',
        username: `invited.${n}`,
        domain: 'keyfold.test',
        password: randomBytes(32).toString('hex'),
        captcha: '',
        main_key: mainKey,
        affiliate_code: code,
      }),
    );
    const made = (await count('users')) - before;
    const left = await count('invitation_codes', sql`id = ${id} and uses_left = 0`);
    say('invitation', answers, `${made} accounts more`);
    expect([made, won(answers), left]).toEqual([FITTING, FITTING, 1]);
  } finally {
    await closed.close();
  }
});

test('super admins who remove each other and themselves leave one', async () => {
  const supers = await users(5);
  for (const { email } of supers) await setAdmin(track.app.deps, email, 'super');
  const tokens = await Promise.all(
    supers.map(async ({ client }) => (await client.admin_access.token({})).csrf_token),
  );
  const answers = await race(n => {
    const [by, of] = [n % supers.length, Math.floor(n / supers.length) % supers.length];
    const headers = { 'x-csrf-token': tokens[by] ?? '' };
    const user_email = supers[of]?.email ?? '';
    const { admin } = clientAt(n, supers[by]);
    return n % 2 === 0
      ? admin.revoke_admin({ user_email }, { headers })
      : admin.grant_admin({ user_email, admin_level: 'standard' }, { headers });
  });
  const left = await count('users', sql`admin_level = 'super' and status = 'active'`);
  say('last super', answers, `${left} left`);
  expect(left).toBe(1);
});

test('import: fifty identical batches store each message once', async () => {
  const [ann] = (await users(1)) as [TestUser];
  const id = await idOf(ann);
  const messages = await Promise.all(
    Array.from({ length: 20 }, (_, n) => sealImported(ann, `${n}@race.test`)),
  );
  const answers = await race(n =>
    patiently(() => clientAt(n, ann).imports.seal({ import_id: n % 2 === 0 ? 'a' : 'b', messages })),
  );
  const kept = await count('mails', ofUser(id));
  say('same import', answers, `${kept} mails of ${messages.length}`);
  expect(kept).toBe(messages.length);
  expect(won(answers)).toBe(AT_ONCE);
  await expectTrueCounters();
});

test('server import: only one of fifty requests starts one', async () => {
  const [ann] = (await users(1)) as [TestUser];
  const id = await idOf(ann);
  const answers = await race(n =>
    n % 3 === 0
      ? clientAt(n, ann).server_imports.start_pst({}, { file: new Blob(['!BDN']) })
      : clientAt(n, ann).server_imports.start_imap({
          host: 'imap.race.test',
          port: 993,
          security: 'tls',
          user: 'ann',
          password: 'secret',
        }),
  );
  const kept = await count('server_imports', ofUser(id));
  say('one import by the server', answers, `${kept} begun`);
  expect([won(answers), kept]).toEqual([1, 1]);
});

test('mailbox lock: fifty changes of the same messages keep the counters correct', async () => {
  const [ann] = (await users(1)) as [TestUser];
  const messages = await Promise.all(
    Array.from({ length: 20 }, (_, n) => sealImported(ann, `${n}@lock.test`)),
  );
  await ann.client.imports.seal({ import_id: 'a', messages });
  const ids = (await ann.client.mail.query({ count: 50, view: 'summary' })).data.map(({ id }) => id);
  await ann.client.tags.save({ tag: { name: 'Raced', color: 'blue' } });
  const answers = await race(n => {
    const client = clientAt(n, ann);
    const email_id = ids.slice(n % 10, (n % 10) + 10);
    switch (n % 5) {
      case 0:
        return client.mail.read({ email_id, value: n % 2 === 0 });
      case 1:
        return client.mail.star({ email_id, value: n % 2 === 0 });
      case 2:
        return client.mail.archive({ email_id, value: n % 2 === 0 });
      case 3:
        // Each message only once: deleting a message twice removes it permanently.
        return client.mail.remove({ email_id: [ids[Math.floor(n / 5)] ?? ''] });
      default:
        return client.mail.restore({ email_id });
    }
  });
  const { kept, recounted } = await readCounters(track.app.db);
  say('lock', answers, `${Object.keys(recounted.counts).length} counters recounted`);
  expect(kept).toEqual(recounted);
  expect(won(answers)).toBe(AT_ONCE);
});

test('records: only one of fifty changes of one version succeeds', async () => {
  const [ann] = (await users(1)) as [TestUser];
  const userId = await idOf(ann);
  const answers = await race(n =>
    clientAt(n, ann).records.save({
      kind: 'setting',
      id: 'raced',
      version: 0,
      sealed: randomBytes(40).toString('base64'),
      key_used: ann.identity.key_id,
    }),
  );
  const kept = await count('records', sql`user_id = ${userId} and id = 'raced' and version = 1`);
  say('one record', answers, `${kept} of version 1`);
  expect([won(answers), kept]).toEqual([1, 1]);
});

test('authenticator code: one code completes only one of fifty MFA-pending sign-ins', async () => {
  const [ann] = (await users(1)) as [TestUser];
  const id = await idOf(ann);
  const { secret } = await turnTotpOn(ann, clock);
  const tabs: TestClient[] = [];
  for (let n = 0; n < 5; n++) {
    const tab = clientAt(n);
    await tab.sign_in.login({ email: ann.email, password: ann.loginHash });
    tabs.push(tab);
  }
  const before = await count('sessions', ofUser(id));
  const code = codeAt(secret, clock.now());
  const answers = await race(n => {
    const tab = tabs[n % tabs.length] as TestClient;
    return clientAt(n, { client: tab }).mfa.code({ email: ann.email, code });
  });
  const opened = (await count('sessions', ofUser(id))) - before;
  say('one code of an authenticator app', answers, `${opened} sessions more`);
  expect([won(answers), opened]).toEqual([1, 1]);
});

test('purge against restore: each of fifty messages is completely restored or completely purged', async () => {
  const [ann] = (await users(1)) as [TestUser];
  const id = await idOf(ann);
  const messages = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => sealImported(ann, `${n}@purge.test`)),
  );
  await ann.client.imports.seal({ import_id: 'a', messages });
  const ids = (await ann.client.mail.query({ count: AT_ONCE, view: 'summary' })).data.map(mail => mail.id);
  await ann.client.mail.remove({ email_id: ids });
  await track.app.db
    .updateTable('mails')
    // Time at which it is due for permanent deletion.
    .set({ deleted_at: clock.now() })
    .where('user_id', '=', id)
    .execute();
  const purges = [track.app.deps, track.other.deps].map(deps =>
    sleep(AT_ONCE).then(() => purgeDeletedMail({ ...deps, forgetScheduled })),
  );
  const answers = await race(async n => {
    await sleep(4 * n);
    await clientAt(n, ann).mail.restore({ email_id: [ids[n] ?? ''] });
  });
  const purged = (await Promise.all(purges)).reduce((sum, one) => sum + one, 0);
  const restored = await count('mails', sql`user_id = ${id} and deleted_at is null`);
  const left = await count('mails', ofUser(id));
  const bodies = await count('mail_bodies', ofUser(id));
  say('purge against restore', answers, `${purged} purged, ${restored} restored`);
  expect(purged + left).toBe(AT_ONCE);
  expect([restored, bodies]).toEqual([left, left]);
  await expectTrueCounters();
});
