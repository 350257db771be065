// What admins see and do: the user list, levels, suspension, plans, the audit log and its notices.
// No endpoint reveals any user's mail.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csrfOf, registerTestAdmin, type TestAdmin } from '../../../../tests/harness/admins.ts';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { sealTestMessage } from '../../../../tests/harness/sending.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { setAdmin } from '../../accounts/users/admins.ts';

let app: TestApp;
let clock: TestClock;
let root: TestAdmin;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
  root = await registerTestAdmin(app, 'super');
});
afterAll(() => app.close());

const { admin } = { admin: () => root.client.admin };
const reason = 'It sent spam';

const noticesOf = async (user: TestUser): Promise<string[]> =>
  (await user.client.mail.query({})).data.flatMap(({ alert, headers }) => {
    const kind = /^X-Keyfold-Notice: (\w+)/m.exec(headers)?.[1];
    return alert && kind !== undefined && kind !== 'new_login' ? [kind] : [];
  });

describe('the user list', () => {
  test('clamps page numbers and sizes, and finds names and addresses in any case', async () => {
    const zoe = await registerTestUser(app, { username: 'zoe.finder', name: 'Zoë 100%_Fínder' });
    const ask = (input: object) => admin().users(input, root.csrf);
    expect((await ask({ page: -5, pageSize: 1000 })).data.users[0]?.email).toBe(zoe.email);
    expect((await ask({ page: 99_999 })).data.users).toEqual([]);
    for (const search of ['ZOE.FIN', 'zo', ' zoë 100%_ ', '00%_fÍN', `${zoe.email}`]) {
      const { data } = await ask({ search });
      expect(
        data.users.map(({ email }) => email),
        search,
      ).toEqual([zoe.email]);
      expect(data.total_count).toBe(1);
    }
    // Pattern characters are literal, and a zero byte matches nothing.
    expect((await ask({ search: 'zoe%finder' })).data.total_count).toBe(0);
    expect((await ask({ search: 'zoe\0.finder' })).data.total_count).toBe(1);
    expect((await ask({ search: `${'x'.repeat(100)}zoe` })).data.total_count).toBe(0);
  });

  test('pages through every account once, newest first', async () => {
    for (let made = 0; made < 3; made += 1) {
      clock.advance(86_400_000 / 2);
      await root.client.auth.check({});
      await registerTestUser(app);
    }
    const csrf = await csrfOf(root);
    const { data } = await admin().users({ pageSize: 100 }, csrf);
    const walked = [];
    for (let page = 1; page <= data.total_count; page += 1)
      walked.push(...(await admin().users({ page, pageSize: 1 }, csrf)).data.users);
    expect(walked).toEqual(data.users);
    expect(data.users).toHaveLength(data.total_count);
    const times = data.users.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
  });
});

describe('filters', () => {
  const GIB = 1024 ** 3;
  const find = async (wanted: object) => {
    const { data } = await admin().users(wanted, await csrfOf(root));
    return { emails: data.users.map(({ email }) => email), total: data.total_count };
  };

  test('select among all users on the server, alone and together with a search', async () => {
    const [paying, full, half] = [
      await registerTestUser(app, { name: 'Filter Paying' }),
      await registerTestUser(app, { name: 'Filter Full' }),
      await registerTestUser(app, { name: 'Filter Half' }),
    ];
    const csrf = await csrfOf(root);
    await admin().set_plan({ user_email: paying.email, plan: 'pro' }, csrf);
    await admin().suspend_user({ user_email: paying.email, reason }, csrf);
    for (const [user, used_bytes] of [
      [full, 3.75 * GIB + 1],
      [half, 3.75 * GIB],
    ] as const)
      await app.db
        .updateTable('mailboxes')
        .set({ used_bytes })
        .where('user_id', '=', await userIdOf(app.db, user))
        .execute();
    expect(await find({ status: 'suspended' })).toEqual({ emails: [paying.email], total: 1 });
    expect(await find({ plan: 'pro', storage: 'low' })).toEqual({ emails: [paying.email], total: 1 });
    expect(await find({ admin: 'admin' })).toEqual({ emails: [root.email], total: 1 });
    expect(await find({ storage: 'high' })).toEqual({ emails: [full.email], total: 1 });
    expect(await find({ storage: 'medium', search: 'filter' })).toEqual({ emails: [half.email], total: 1 });
    expect(await find({ search: 'filter', admin: 'user', pageSize: 2, page: 2 })).toEqual({
      emails: [paying.email],
      total: 3,
    });
    expect((await find({ search: 'filter', status: 'active' })).total).toBe(2);
    const everybody = (await find({})).total;
    expect((await find({ status: '', plan: 'all', admin: '', storage: 'all' })).total).toBe(everybody);
    expect(await codeOf(find({ status: "active' or true" }))).toBe('400 malformed');
  });

  test('use an index in list order to find few users among many', async () => {
    const planOf = (condition: string): Promise<string> =>
      app.db.transaction().execute(async trx => {
        // Otherwise PostgreSQL reads a table of a few rows sequentially.
        await sql`set local enable_seqscan = off`.execute(trx);
        const { rows } = await sql
          .raw<Record<string, string>>(
            `explain select id from users where ${condition} order by created_at desc, id desc limit 50`,
          )
          .execute(trx);
        return rows.flatMap(row => Object.values(row)).join('\n');
      });
    expect(await planOf("status = 'suspended'")).toContain('users_suspended');
    expect(await planOf("plan = 'pro'")).toContain('users_paying');
  });
});

describe('admin levels', () => {
  test('are granted, changed and revoked, logged with the actor and reported to the user', async () => {
    const csrf = await csrfOf(root);
    const user = await registerTestUser(app);
    const user_email = ` ${user.email.toUpperCase()} `;
    expect((await admin().grant_admin({ user_email }, csrf)).data).toMatchObject({ admin_level: 'readonly' });
    const invented = admin().grant_admin({ user_email, admin_level: 'chief' as never }, csrf);
    await expect(invented).rejects.toMatchObject({
      problems: [{ path: 'admin_level', message: 'Invalid admin level' }],
    });
    expect((await user.client.admin_access.admin_status({})).data.admin_level).toBe('readonly');
    await admin().grant_admin({ user_email, admin_level: 'standard' }, csrf);
    await admin().revoke_admin({ user_email }, csrf);
    expect((await user.client.admin_access.admin_status({})).data).toEqual({
      is_admin: false,
      admin_level: null,
    });
    expect(await codeOf(admin().revoke_admin({ user_email }, csrf))).toBe('422 not_an_admin');
    expect((await noticesOf(user)).sort()).toEqual(['admin_granted', 'admin_granted', 'admin_revoked']);
    const { data } = await admin().audit({ count: 3 }, csrf);
    const by = { actor: { kind: 'admin', email: root.email }, subject: user.email, object: null };
    expect(data.entries).toMatchObject([
      { ...by, action: 'revoke_admin', details: {} },
      { ...by, action: 'grant_admin', details: { level: 'standard' } },
      { ...by, action: 'grant_admin', details: { level: 'readonly' } },
    ]);
    const before = Number(data.entries.at(-1)?.id);
    const older = (await admin().audit({ before, count: 1 }, csrf)).data.entries;
    expect(Number(older[0]?.id ?? 0)).toBeLessThan(before);
  });

  test('keep the last super admin, who can be neither removed nor demoted', async () => {
    const csrf = await csrfOf(root);
    const user_email = root.email;
    expect(await codeOf(admin().revoke_admin({ user_email }, csrf))).toBe('422 last_super');
    const demotion = admin().grant_admin({ user_email, admin_level: 'standard' }, csrf);
    expect(await codeOf(demotion)).toBe('422 last_super');
    // A suspended admin can do nothing and does not count.
    const other = await registerTestAdmin(app, 'super');
    const suspended = { status: 'suspended' } as const;
    await app.db.updateTable('users').set(suspended).where('email', '=', other.email).execute();
    expect(await codeOf(admin().revoke_admin({ user_email }, csrf))).toBe('422 last_super');
    // The operator cannot remove the last super admin either, not even on the machine itself.
    for (const level of [null, 'standard'] as const)
      await expect(setAdmin(app.deps, user_email, level)).rejects.toMatchObject({ code: 'last_super' });
    await setAdmin(app.deps, other.email, null);
    expect(await setAdmin(app.deps, user_email, 'super')).toBe(false);
  });

  test.each(['readonly', 'standard', 'super'] as const)(
    'prevent an admin (%s) from deleting the account before the role is revoked',
    async level => {
      const csrf = await csrfOf(root);
      const other = await registerTestAdmin(app, level);
      const leave = () => codeOf(other.client.account.delete_account({ password: other.loginHash }));
      expect(await leave()).toBe('422 admin_stays');
      await admin().revoke_admin({ user_email: other.email }, csrf);
      expect(await leave()).toBe('none');
    },
  );

  test('keep one of two super admins who remove each other at once', async () => {
    const other = await registerTestAdmin(app, 'super');
    const csrf = await csrfOf(root);
    const ended = await Promise.allSettled([
      admin().revoke_admin({ user_email: other.email }, csrf),
      other.client.admin.revoke_admin({ user_email: root.email }, other.csrf),
    ]);
    expect(ended.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    const supers = await app.db
      .selectFrom('users')
      .select('email')
      .where('admin_level', '=', 'super')
      .execute();
    expect(supers).toHaveLength(1);
    await setAdmin(app.deps, root.email, 'super');
    await setAdmin(app.deps, other.email, null).catch(() => {});
  });
});

describe('a suspension', () => {
  test('ends sessions and streams at once, blocks sign-in, and can be lifted', async () => {
    const csrf = await csrfOf(root);
    const user = await registerTestUser(app, { keepSignedIn: true });
    const stream = await user.client.fetch('/user/events');
    const read = stream.text();
    const { data } = await admin().suspend_user({ user_email: user.email, reason }, csrf);
    expect(data.status).toBe('suspended');
    // The open tab receives the reason in the last event of the stream.
    expect(await read).toMatch(/event: suspended\ndata: \{"version":\d+\}\n\n$/);
    expect(await codeOf(user.client.auth.check({}))).toBe('401 not_logged_in');
    const restoring = user.client.auth.restore({ email: user.email, timestamp: clock.now().getTime() });
    expect(await codeOf(restoring)).toMatch(/^40[13] /);
    const login = { email: user.email, password: user.loginHash };
    await expect(app.client().sign_in.login(login)).rejects.toMatchObject({
      status: 403,
      message: 'This account is suspended. Contact the administrator of this service.',
    });
    const listed = async () =>
      (await admin().users({ search: user.email, page: 1, pageSize: 10 }, csrf)).data.users.find(
        ({ email }) => email === user.email,
      );
    expect((await listed())?.suspension_reason).toBe(reason);
    // Repeating the action changes nothing and is not logged twice.
    await admin().suspend_user({ user_email: user.email, reason }, csrf);
    await admin().unsuspend_user({ user_email: user.email }, csrf);
    expect((await listed())?.suspension_reason).toBeUndefined();
    const again = app.client();
    await again.sign_in.login(login);
    expect((await noticesOf({ ...user, client: again })).sort()).toEqual([
      'account_suspended',
      'account_unsuspended',
    ]);
    const entries = (await admin().audit({ count: 2 }, csrf)).data.entries;
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['unsuspend_user', {}],
      ['suspend_user', { reason }],
    ]);
  });

  test('is refused for admins, for oneself and for unknown accounts', async () => {
    const csrf = await csrfOf(root);
    const other = await registerTestAdmin(app, 'readonly');
    const suspend = (user_email: string) => codeOf(admin().suspend_user({ user_email, reason }, csrf));
    expect(await suspend(other.email)).toBe('422 admin_kept');
    expect(await suspend(root.email)).toBe('422 own_account');
    expect(await suspend('nobody@keyfold.test')).toBe('404 not_found');
    const missing = admin().suspend_user({ user_email: 'nobody@keyfold.test', reason }, csrf);
    await expect(missing).rejects.toMatchObject({ message: 'User not found' });
    const user = await registerTestUser(app);
    await admin().suspend_user({ user_email: user.email, reason: `${reason}\nand more` }, csrf);
    const grant = admin().grant_admin({ user_email: user.email }, csrf);
    expect(await codeOf(grant)).toBe('422 subject_suspended');
  });

  test.each([
    [{ reason: ' 1234 ' }, 'reason', 'Reason must be at least 5 characters'],
    [{ reason: 'x'.repeat(500) }, 'reason', 'Reason must be less than 500 characters'],
    [{ reason: 'It sent\tspam' }, 'reason', 'Reason contains invalid characters'],
    [{ reason: 'It sent\0spam' }, 'reason', 'Reason contains invalid characters'],
    [{ reason: 'It sent\u202emaps' }, 'reason', 'Reason contains invalid characters'],
    [{ reason: 'It \u2066sent spam' }, 'reason', 'Reason contains invalid characters'],
    [{ user_email: '  ' }, 'user_email', 'Email cannot be empty'],
    [{ user_email: `${'x'.repeat(250)}@x.test` }, 'user_email', 'Email too long (max 254 characters)'],
    [{ user_email: 'no address' }, 'user_email', 'Invalid email format'],
  ])('is refused with %o', async (change, path, message) => {
    const input = { user_email: 'somebody@keyfold.test', reason, ...change };
    await expect(admin().suspend_user(input, await csrfOf(root))).rejects.toMatchObject({
      status: 400,
      problems: expect.arrayContaining([{ path, message }]),
    });
  });
});

describe('a plan', () => {
  test('can be set for other users and oneself, and applies its limits', async () => {
    const csrf = await csrfOf(root);
    const user = await registerTestUser(app);
    expect((await admin().set_plan({ plan: 'pro', user_email: user.email }, csrf)).data.plan).toBe('pro');
    expect((await user.client.auth.check({})).data.plan_config.domain_limit).toBe(25);
    expect(await noticesOf(user)).toEqual(['plan_set']);
    expect((await admin().set_plan({ plan: 'plus' }, csrf)).data).toMatchObject({
      email: root.email,
      plan: 'plus',
    });
    await expect(admin().set_plan({ plan: 'enterprise' as never }, csrf)).rejects.toMatchObject({
      problems: [{ path: 'plan', message: 'Invalid plan. Must be free, plus, or pro.' }],
    });
  });
});

test('too many changes are refused with the seconds to wait', async () => {
  const other = await registerTestAdmin(app, 'super');
  const ask = () => other.client.admin.revoke_admin({ user_email: 'nobody@keyfold.test' }, other.csrf);
  const codes = [];
  for (let asked = 0; asked <= 30; asked += 1) codes.push(await codeOf(ask()));
  expect(codes.slice(0, 30).every(code => code === '404 not_found')).toBe(true);
  await expect(ask()).rejects.toMatchObject({
    status: 429,
    message: 'Rate limited. Please try again later.',
    retryAfterSeconds: expect.any(Number),
  });
  await setAdmin(app.deps, other.email, null);
});

test('no admin response contains content, subjects, file names or keys of any user', async () => {
  const csrf = await csrfOf(root);
  const user = await registerTestUser(app, { name: 'Content Owner' });
  const outgoing = await sealTestMessage(user, { to: [user] });
  await user.client.sending.send_private(outgoing);
  const userId = await userIdOf(app.db, user);
  const answers = [
    await admin().stats({}, csrf),
    await admin().users({ search: user.email }, csrf),
    await admin().grant_admin({ user_email: user.email }, csrf),
    await admin().revoke_admin({ user_email: user.email }, csrf),
    await admin().set_plan({ user_email: user.email, plan: 'plus' }, csrf),
    await admin().suspend_user({ user_email: user.email, reason }, csrf),
    await admin().unsuspend_user({ user_email: user.email }, csrf),
    await admin().audit({}, csrf),
  ];
  const text = JSON.stringify(answers);
  expect(text).toContain(user.email);
  // Everything in the database about the account's mail and secrets, in every form in which a
  // response could contain it.
  const account = await app.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const mails = await app.db.selectFrom('mails').selectAll().where('user_id', '=', userId).execute();
  const bodies = await app.db.selectFrom('mail_bodies').selectAll().where('user_id', '=', userId).execute();
  const secrets: unknown[] = [account.login_hash, ...Object.values(account.main_key)];
  for (const row of [...mails, ...bodies]) {
    const {
      user_id: _owner,
      own_address: _own,
      from_address: _from,
      ...content
    } = row as Record<string, unknown>;
    secrets.push(...Object.values(content));
  }
  const looked = secrets.flatMap(value => {
    if (Buffer.isBuffer(value))
      return [value.toString('base64'), value.toString('hex'), value.toString('utf8')];
    return typeof value === 'string' ? [value] : [];
  });
  expect(looked.filter(form => form.length > 8).length).toBeGreaterThan(20);
  for (const form of looked) if (form.length > 8) expect(text.includes(form)).toBe(false);
  // The response has exactly these fields: a new one must be considered here.
  const { data } = await admin().users({ search: user.email }, csrf);
  expect(Object.keys(data.users[0] ?? {}).sort()).toEqual([
    'admin_level',
    'created_at',
    'domain_count',
    'email',
    'id',
    'is_admin',
    'last_active_at',
    'mail_held',
    'name',
    'plan',
    'sent_emails',
    'status',
    'used_space',
  ]);
});
