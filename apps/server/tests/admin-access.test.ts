// Every admin call at every level, with a CSRF token, without one and with an expired one
// (docs/spec-map.md 6, docs/api-conventions.md#csrf).
import { api, type Call } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CSRF_LIFETIME_MS } from '../src/base/limits.ts';
import { csrfOf, registerTestAdmin, type TestAdmin } from './harness/admins.ts';
import { startTestApp, type TestApp } from './harness/app.ts';
import { createTestClock, type TestClock } from './harness/clock.ts';
import { registerTestUser, type TestUser } from './harness/users.ts';

const LEVELS = ['nobody', 'user', 'readonly', 'standard', 'super'] as const;
type Level = (typeof LEVELS)[number];

type Row = {
  /** Input of the call for its target, an account that no other row uses. */
  readonly input: (target: TestUser) => Record<string, unknown>;
  /** Whether the target is an admin. */
  readonly isAdmin?: true;
  /** Lowest level that may make the call. */
  readonly from: Level;
};

/** Rows by call. A call that is not listed fails the first test. */
const MATRIX: { readonly [N in keyof typeof api.admin]: readonly Row[] } = {
  stats: [{ input: () => ({}), from: 'readonly' }],
  users: [{ input: () => ({}), from: 'readonly' }],
  mail_hold: [{ input: () => ({ user_id: '00000000-0000-4000-8000-000000000000' }), from: 'readonly' }],
  audit: [{ input: () => ({}), from: 'readonly' }],
  grant_admin: [
    { input: ({ email }) => ({ user_email: email }), from: 'super' },
    { input: ({ email }) => ({ user_email: email, admin_level: 'standard' }), isAdmin: true, from: 'super' },
  ],
  revoke_admin: [{ input: ({ email }) => ({ user_email: email }), isAdmin: true, from: 'super' }],
  suspend_user: [{ input: ({ email }) => ({ user_email: email, reason: 'It sent spam' }), from: 'standard' }],
  unsuspend_user: [{ input: ({ email }) => ({ user_email: email }), from: 'standard' }],
  release_mail: [
    { input: ({ email }) => ({ user_email: email }), from: 'standard' },
    { input: ({ email }) => ({ user_email: email }), isAdmin: true, from: 'super' },
  ],
  set_plan: [
    { input: ({ email }) => ({ plan: 'plus', user_email: email }), from: 'standard' },
    { input: ({ email }) => ({ plan: 'plus', user_email: email }), isAdmin: true, from: 'super' },
    { input: () => ({ plan: 'free' }), from: 'standard' },
  ],
};

const cases = Object.entries(MATRIX).flatMap(([name, rows]) =>
  rows.flatMap((row, index) => LEVELS.map(level => ({ name, row, level, index }))),
);

let app: TestApp;
let clock: TestClock;
let who: Record<Exclude<Level, 'nobody'>, TestAdmin>;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
  who = {
    user: await registerTestAdmin(app, null),
    readonly: await registerTestAdmin(app, 'readonly'),
    standard: await registerTestAdmin(app, 'standard'),
    super: await registerTestAdmin(app, 'super'),
  };
});
afterAll(() => app.close());

async function ask(
  level: Level,
  name: string,
  input: Record<string, unknown>,
  options = level === 'nobody' ? {} : who[level].csrf,
): Promise<string> {
  const client = level === 'nobody' ? app.client() : who[level].client;
  const calls = client.admin as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  try {
    await calls[name]?.(input, options);
    return 'done';
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return error.code;
  }
}

function expectedFor(level: Level, from: Level): string {
  if (level === 'nobody') return 'not_logged_in';
  return LEVELS.indexOf(level) >= LEVELS.indexOf(from) ? 'done' : 'forbidden';
}

const stateOf = (email: string) =>
  app.db
    .selectFrom('users')
    .select(['status', 'plan', 'is_admin', 'admin_level'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();

test('every admin call has a row in the matrix', () => {
  expect(Object.keys(MATRIX).sort()).toEqual(Object.keys(api.admin).sort());
  for (const call of Object.values<Call>(api.admin)) expect(call.path).toMatch(/^\/admin\//);
});

test.each(cases)('$name $index: $level', async ({ name, row, level }) => {
  const target = row.isAdmin ? await registerTestAdmin(app, 'readonly') : await registerTestUser(app);
  const before = await stateOf(target.email);
  const expected = expectedFor(level, row.from);
  expect(await ask(level, name, row.input(target))).toBe(expected);
  if (expected !== 'done') expect(await stateOf(target.email)).toEqual(before);
});

test.each(Object.keys(MATRIX))('%s needs a valid CSRF token of the same session', async name => {
  const [row] = MATRIX[name as keyof typeof MATRIX];
  const target = row?.isAdmin ? await registerTestAdmin(app, 'readonly') : await registerTestUser(app);
  const input = row?.input(target) ?? {};
  const before = await stateOf(target.email);
  expect(await ask('super', name, input, {})).toBe('csrf_refused');
  expect(await ask('super', name, input, { headers: { 'x-csrf-token': 'AAAA' } })).toBe('csrf_refused');
  expect(await ask('super', name, input, who.standard.csrf)).toBe('csrf_refused');
  expect(await stateOf(target.email)).toEqual(before);
});

test('a CSRF token is valid for a day', async () => {
  const { csrf } = who.super;
  // Keeps the session alive, as an open console does.
  for (let hours = 0; hours < 23; hours += 1) {
    clock.advance(CSRF_LIFETIME_MS / 24);
    await who.super.client.auth.check({});
  }
  expect(await ask('super', 'stats', {}, csrf)).toBe('done');
  clock.advance(CSRF_LIFETIME_MS / 24);
  expect(await ask('super', 'stats', {}, csrf)).toBe('csrf_refused');
  expect(await ask('super', 'stats', {}, await csrfOf(who.super))).toBe('done');
});
