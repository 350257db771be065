import { AppError } from '@keyfold/contract/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../tests/harness/app.ts';
import { codeOf } from '../../tests/harness/codes.ts';
import { registerTestUser } from '../../tests/harness/users.ts';
import { PLAN_LIMITS } from '../base/limits.ts';
import { type Counted, createRateLimiter } from './rate-limiter.ts';
import { RATE_RULES } from './rate-limits.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const WRONG = '00'.repeat(32);

test('the sign-in is blocked after ten wrong passwords, with a retry time', async () => {
  const { email, loginHash } = await registerTestUser(app);
  const { sign_in } = app.client();
  for (let attempt = 0; attempt < 10; attempt++) {
    expect(await codeOf(sign_in.login({ email, password: WRONG }))).toBe('401 login_refused');
  }
  const refused = await sign_in
    .login({ email: email.toUpperCase(), password: loginHash })
    .catch(error => error);
  expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(refused.retryAfterSeconds).toBeGreaterThan(800);
  expect(refused.retryAfterSeconds).toBeLessThanOrEqual(900);
});

test('unknown addresses are counted in the same way', async () => {
  const { sign_in } = app.client();
  const email = 'nobody.here@keyfold.test';
  for (let attempt = 0; attempt < 10; attempt++) await codeOf(sign_in.login({ email, password: WRONG }));
  expect(await codeOf(sign_in.login({ email, password: WRONG }))).toBe('429 rate_limited');
});

test('a correct password resets the count of wrong ones', async () => {
  const { email, loginHash } = await registerTestUser(app);
  const { sign_in } = app.client();
  for (let round = 0; round < 2; round++) {
    for (let attempt = 0; attempt < 9; attempt++) await codeOf(sign_in.login({ email, password: WRONG }));
    await sign_in.login({ email, password: loginHash });
  }
});

test('guessing from many addresses does not lock the owner out of a known browser', async () => {
  const { client, email, loginHash } = await registerTestUser(app);
  const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
  for (let ip = 1; ip <= 7; ip++)
    for (let attempt = 0; attempt < 10; attempt++)
      await codeOf(app.client().sign_in.login({ email, password: WRONG }, from(`198.51.100.${ip}`)));
  const owner = { email, password: loginHash };
  const elsewhere = from('203.0.113.9');
  expect(await codeOf(app.client().sign_in.login(owner, elsewhere))).toBe('429 rate_limited');
  await client.sign_in.login(owner, elsewhere);
  // Another account's browser cookie does not lift this account's limit.
  const other = await registerTestUser(app);
  const copied = app.client();
  copied.jar.set('keyfold_browser', other.client.jar.get('keyfold_browser') ?? '', '/auth');
  expect(await codeOf(copied.sign_in.login(owner, elsewhere))).toBe('429 rate_limited');
  // A known browser has a limit of ten guesses too.
  for (let attempt = 0; attempt < 10; attempt++)
    expect(await codeOf(client.sign_in.login({ email, password: WRONG }, elsewhere))).toBe(
      '401 login_refused',
    );
  expect(await codeOf(client.sign_in.login(owner, elsewhere))).toBe('429 rate_limited');
});

test('key lookups are limited to sixty per minute', async () => {
  const { client } = await registerTestUser(app);
  const ask = () => client.mail.keys({ users: ['a@example.org'] });
  await Promise.all(Array.from({ length: 60 }, ask));
  expect(await codeOf(ask())).toBe('429 rate_limited');
});

describe('a rate limit counts', () => {
  const one = (ip: string): Counted => ({ ip, userId: null, plan: 'free', account: undefined });
  const useUp = async (ip: string) => {
    const limiter = createRateLimiter(app.deps);
    for (let used = 0; used < 30; used++) await limiter.consume('sign_up.register', one(ip));
    return (other: string) =>
      limiter.consume('sign_up.register', one(other)).then(
        () => 'free',
        (error: unknown) => (error instanceof AppError ? error.code : 'broken'),
      );
  };

  test('an IPv4 address in any notation', async () => {
    const stateOf = await useUp('192.0.2.7');
    expect(await stateOf('192.0.2.7')).toBe('rate_limited');
    expect(await stateOf('::ffff:192.0.2.7')).toBe('rate_limited');
    expect(await stateOf('192.0.2.8')).toBe('free');
  });

  test('a whole IPv6 /64', async () => {
    const stateOf = await useUp('2001:db8:1:2::1');
    expect(await stateOf('2001:db8:1:2:ffff::9')).toBe('rate_limited');
    expect(await stateOf('2001:db8:1:3::1')).toBe('free');
  });

  test('a site of many addresses, with a higher limit', async () => {
    const limiter = createRateLimiter(app.deps);
    const register = (ip: string) =>
      limiter.consume('sign_up.register', one(ip)).then(
        () => 'free',
        (error: unknown) => (error instanceof AppError ? error.code : 'broken'),
      );
    // Consecutive /64s of one /48, and consecutive addresses of one /24.
    for (const [addressOf, neighbor, other] of [
      [(n: number) => `2001:db8:7:${n}::1`, '2001:db8:7:ffff::1', '2001:db8:8::1'],
      [(n: number) => `203.0.113.${n}`, '203.0.113.200', '203.0.112.1'],
    ] as const) {
      for (let used = 0; used < 300; used++)
        expect(await register(addressOf(Math.floor(used / 30)))).toBe('free');
      expect(await register(neighbor)).toBe('rate_limited');
      expect(await register(other)).toBe('free');
    }
  });

  test('checks of free addresses: thirty at first, then more slowly than captchas can be solved', async () => {
    const limiter = createRateLimiter(app.deps);
    const ask = () => limiter.consume('sign_up.available', one('192.0.2.20'));
    for (let used = 0; used < 30; used++) await ask();
    await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' });
    const [burst, day] = RATE_RULES['sign_up.available'] ?? [];
    expect(burst).toMatchObject({ by: 'ip', seconds: 15 * 60 });
    expect(day).toMatchObject({ by: 'ip', points: 200, seconds: 24 * 3600 });
  });

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('no client on this machine (%s)', async ip => {
    const stateOf = await useUp(ip);
    expect(await stateOf(ip)).toBe('free');
  });

  test('sends according to the plan', async () => {
    const limiter = createRateLimiter(app.deps);
    const sender = (plan: Counted['plan']): Counted => ({ ...one('192.0.2.9'), userId: 'u1', plan });
    // Counts requests, retries included; features/outbound/sending limits the number of messages.
    const requests = 3 * PLAN_LIMITS.free.sendsPerHour;
    for (let sent = 0; sent < requests; sent++) {
      await limiter.consume('sending.send_private', sender('free'));
    }
    await expect(limiter.consume('sending.send_private', sender('free'))).rejects.toThrow();
    await limiter.consume('sending.send_private', sender('plus'));
    // All users behind one address share a generous count.
    expect(RATE_RULES['sending.send_private']).toContainEqual(
      expect.objectContaining({ by: 'ip', points: 20_000, seconds: 3600 }),
    );
  });

  test('across two nodes together, and its table contains no names', async () => {
    const [left, right] = [createRateLimiter(app.deps), createRateLimiter(app.deps)];
    const counted: Counted = { ...one('192.0.2.10'), account: 'shared@keyfold.test' };
    for (let used = 0; used < 5; used++) {
      await left.consume('sign_in.login', counted);
      await right.consume('sign_in.login', counted);
    }
    await expect(right.consume('sign_in.login', counted)).rejects.toMatchObject({ code: 'rate_limited' });
    const rows = await app.deps.db
      .selectFrom('rate_limits' as never)
      .selectAll()
      .execute();
    // Expiry times are digits too, and may contain a year.
    expect(JSON.stringify(rows.map(row => ({ ...row, expire: 0 })))).not.toMatch(
      /192\.0|shared|keyfold\.test|2001/,
    );
  });
});
