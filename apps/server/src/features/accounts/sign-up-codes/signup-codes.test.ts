// Sign-up policy over the real HTTP server: invitations, affiliate codes, and the domains that
// accept new accounts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { createTestKeys, registerTestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { setAdmin } from '../users/admins.ts';
import { isCodeCommand, runCodeCommand } from './commands.ts';
import { createInvitation, findAffiliates, findInvitations } from './service.ts';

const DAY_MS = 86_400_000;
const clocks: TestClock[] = [];
let open: TestApp;
let invited: TestApp;
beforeAll(async () => {
  clocks.push(createTestClock());
  open = await startTestApp({
    config: {
      domains: ['keyfold.test', 'second.test', 'third.test'],
      signupDomains: ['second.test', 'third.test'],
    },
  });
  invited = await startTestApp({ clock: clocks[0] as TestClock, config: { isInvitationNeeded: true } });
});
afterAll(() => Promise.all([open.close(), invited.close()]));

let made = 0;
const formOf = async (domain: string, code?: string) => ({
  name: 'New',
  username: `new${++made}`,
  domain,
  password: 'ab'.repeat(32),
  captcha: '',
  main_key: (await createTestKeys()).mainKey,
  ...(code === undefined ? {} : { affiliate_code: code }),
});
async function register(app: TestApp, domain: string, code?: string) {
  const form = await formOf(domain, code);
  try {
    await app.client().sign_up.register(form);
    return 'made';
  } catch (error) {
    return (error as { code?: string }).code;
  }
}
const usersOf = async (app: TestApp) =>
  app.db.selectFrom('users').select(['email', 'affiliate_code']).orderBy('created_at', 'desc').execute();
const invite = (uses: number, days?: number) =>
  createInvitation(invited.deps, { kind: 'operator' }, { uses, days, note: '' });

describe('domains for new accounts', () => {
  test('are offered, and the others are refused', async () => {
    const answer = await open.client().sign_up.domains({});
    expect(answer).toMatchObject({ data: ['second.test', 'third.test'], invitation_needed: false });
    expect(await register(open, 'second.test')).toBe('made');
    expect(await register(open, 'keyfold.test')).toBe('domain_refused');
    expect(await register(open, 'elsewhere.test')).toBe('domain_refused');
  });
});

describe('affiliate codes', () => {
  const run = (...words: string[]) => runCodeCommand(open.deps, 'affiliate', words);

  test('are counted when the operator created them, stored with the account, and otherwise ignored', async () => {
    expect(await run('list')).toEqual(['There are no affiliate codes.']);
    await run('add', 'podcast 42', 'The Saturday show');
    await expect(run('add', 'podcast 42')).rejects.toMatchObject({ code: 'code_taken' });
    expect(await register(open, 'second.test', 'podcast 42')).toBe('made');
    expect((await usersOf(open))[0]?.affiliate_code).toBe('podcast 42');
    expect(await register(open, 'second.test', 'unknown')).toBe('made');
    expect((await usersOf(open))[0]?.affiliate_code).toBeNull();
    expect(await register(open, 'second.test', '')).toBe('made');
    expect(await register(open, 'second.test', 'x'.repeat(65))).toBe('malformed');
    expect(await run('list')).toEqual(['1\tpodcast 42\tThe Saturday show']);
  });

  test('count every concurrent sign-up and no failed one', async () => {
    await run('add', 'many');
    const forms = await Promise.all(Array.from({ length: 6 }, () => formOf('second.test', 'many')));
    await Promise.all(forms.map(form => open.client().sign_up.register(form)));
    const [first] = forms as [(typeof forms)[0]];
    const other = { ...first, password: 'cd'.repeat(32) };
    await expect(open.client().sign_up.register(other)).rejects.toMatchObject({ code: 'address_taken' });
    // A retry after a lost response yields the same account.
    await open.client().sign_up.register(first);
    expect((await findAffiliates(open.db)).find(one => one.code === 'many')?.signups).toBe(6);
    expect(await run('remove', 'many')).toEqual(['Removed many. Its sign-ups are no longer counted.']);
    await expect(run('remove', 'many')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('are limited to one line of 64 characters', async () => {
    for (const code of ['x'.repeat(65), 'a\nb', ' a'])
      await expect(run('add', code)).rejects.toMatchObject({ code: 'malformed' });
  });
});

describe('an invitation', () => {
  test('is required, is announced, and works for its number of accounts', async () => {
    expect(await invited.client().sign_up.domains({})).toMatchObject({ invitation_needed: true });
    expect(await register(invited, 'keyfold.test')).toBe('invitation_needed');
    expect(await register(invited, 'keyfold.test', 'AAAA-BBBB-CCCC-DDDD')).toBe('invitation_refused');
    const { code } = await invite(2);
    expect(code).toMatch(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/);
    // Lowercase and with spaces, as people type it.
    expect(await register(invited, 'keyfold.test', code.toLowerCase().replaceAll('-', ' '))).toBe('made');
    expect(await register(invited, 'keyfold.test', code)).toBe('made');
    expect(await register(invited, 'keyfold.test', code)).toBe('invitation_refused');
  });

  test('is stored neither with the account nor in plain text', async () => {
    const { code } = await invite(1);
    await register(invited, 'keyfold.test', code);
    const rows = await invited.db.selectFrom('invitation_codes').selectAll().execute();
    expect(JSON.stringify([rows, await usersOf(invited)])).not.toContain(code);
    expect((await usersOf(invited))[0]?.affiliate_code).toBeNull();
  });

  test('with one use left admits one of many concurrent sign-ups', async () => {
    const { id, code } = await invite(1);
    const forms = await Promise.all(Array.from({ length: 6 }, () => formOf('keyfold.test', code)));
    const outcomes = await Promise.allSettled(forms.map(form => invited.client().sign_up.register(form)));
    const refused = outcomes.filter(one => one.status === 'rejected');
    expect(refused.map(one => (one.reason as { code?: string }).code)).toEqual(
      Array.from({ length: 5 }, () => 'invitation_refused'),
    );
    expect((await findInvitations(invited.db)).find(one => one.id === id)?.uses_left).toBe(0);
  });

  test('is not used up by a failed sign-up', async () => {
    const { id, code } = await invite(3);
    const form = await formOf('keyfold.test', code);
    await invited.client().sign_up.register(form);
    const other = { ...form, password: 'cd'.repeat(32) };
    await expect(invited.client().sign_up.register(other)).rejects.toMatchObject({ code: 'address_taken' });
    await invited.client().sign_up.register(form);
    expect((await findInvitations(invited.db)).find(one => one.id === id)?.uses_left).toBe(2);
  });

  test('ends when it expires or is removed', async () => {
    const { code } = await invite(5, 2);
    expect(await register(invited, 'keyfold.test', code)).toBe('made');
    clocks[0]?.advance(2 * DAY_MS);
    expect(await register(invited, 'keyfold.test', code)).toBe('invitation_refused');
    const lasting = await invite(5);
    const run = (...words: string[]) => runCodeCommand(invited.deps, 'invitation', words);
    expect(await run('remove', lasting.id)).toEqual(['Revoked the invitation code.']);
    await expect(run('remove', lasting.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(run('remove', 'nonsense')).rejects.toMatchObject({ code: 'not_found' });
    expect(await register(invited, 'keyfold.test', lasting.code)).toBe('invitation_refused');
  });

  test('is created and listed with the operator’s command', async () => {
    const [code = '', words] = await runCodeCommand(invited.deps, 'invitation', [
      'add',
      '3',
      '0',
      'For the club',
    ]);
    expect(words).toBe('Valid for 3 accounts, without expiry. The code is shown only once.');
    const [line] = await runCodeCommand(invited.deps, 'invitation', ['list']);
    expect(line?.split('\t').slice(1)).toEqual([
      `${code.slice(0, 4)}-…`,
      '3 of 3 left',
      'no expiry',
      'For the club',
    ]);
    const isOne = (...words: string[]) => isCodeCommand('invitation', words);
    expect([isOne('add', '3', '0'), isOne('add', '1', '7', 'x'), isOne('list')]).toEqual([true, true, true]);
    expect([isOne('add', '0', '0'), isOne('add', '3'), isOne('add', '1', '367'), isOne('end', 'x')]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('the admin console', () => {
  const adminOf = async (level: 'readonly' | 'standard') => {
    const user = await registerTestUser({ config: { domains: ['second.test'] }, client: open.client });
    await setAdmin(open.deps, user.email, level);
    const { csrf_token } = await user.client.admin_access.token({});
    return {
      ...user,
      userId: await userIdOf(open.db, user),
      options: { headers: { 'x-csrf-token': csrf_token } },
    };
  };

  test('lists, creates and ends codes for admins of the right level, and logs who did it', async () => {
    const [watcher, keeper] = [await adminOf('readonly'), await adminOf('standard')];
    const wish = { uses: 2, days: 3, note: 'Friends' };
    await expect(watcher.client.sign_up_codes.create_invitation(wish, watcher.options)).rejects.toMatchObject(
      {
        code: 'forbidden',
      },
    );
    await expect(keeper.client.sign_up_codes.create_invitation(wish)).rejects.toMatchObject({
      code: 'csrf_refused',
    });
    const { data } = await keeper.client.sign_up_codes.create_invitation(wish, keeper.options);
    const { data: list } = await watcher.client.sign_up_codes.list({}, watcher.options);
    expect(list).toMatchObject({ invitation_needed: false, domains: ['second.test', 'third.test'] });
    expect(list.invitations[0]).toMatchObject({
      id: data.id,
      hint: data.code.slice(0, 4),
      uses_left: 2,
      note: 'Friends',
      expires_at: data.expires_at,
    });
    expect(list.affiliates.map(one => [one.code, one.signups])).toContainEqual(['podcast 42', 1]);
    await expect(
      watcher.client.sign_up_codes.remove_invitation({ id: data.id }, watcher.options),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await keeper.client.sign_up_codes.remove_invitation({ id: data.id }, keeper.options);
    await expect(
      keeper.client.sign_up_codes.remove_invitation({ id: data.id }, keeper.options),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect(
      await open.db
        .selectFrom('audit_entries')
        .select(['action', 'object'])
        .where('actor_id', '=', keeper.userId)
        .orderBy('id')
        .execute(),
    ).toEqual([
      { action: 'create_invitation', object: data.id },
      { action: 'remove_invitation', object: data.id },
    ]);
  });
});
