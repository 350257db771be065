// The duration of a refusal must not reveal whether an address has an account
// (docs/reliability.md#goals).
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestKeys, registerTestUser } from '../../../../tests/harness/users.ts';
import { hashLogin, hashOfNobody, isLoginHash } from './login-hash.ts';
import { recordRefusal } from './login-history.ts';
import { openKit } from './recovery.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

test('unknown addresses and wrong passwords take the same time', async () => {
  await createTestKeys();
  const known = await Promise.all(Array.from({ length: 5 }, () => registerTestUser(app)));
  const refuse = async (email: string): Promise<number> => {
    const startedAt = performance.now();
    const password = randomBytes(32).toString('hex');
    await app
      .client()
      .sign_in.login({ email, password })
      .catch(() => null);
    return performance.now() - startedAt;
  };
  await refuse('warm.up@keyfold.test');
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (let round = 0; round < 8; round++) {
    for (const [index, one] of known.entries()) {
      times.known.push(await refuse(one.email));
      times.unknown.push(await refuse(`nobody${index}@keyfold.test`));
    }
  }
  // A skipped hash would make one time a tenth of the other; the bound leaves a margin for a busy
  // machine.
  const ratio = median(times.unknown) / median(times.known);
  expect(ratio).toBeGreaterThan(0.6);
  expect(ratio).toBeLessThan(1.7);
});

/** Wraps the database; `sizes` records how much each statement returns, in bytes of JSON. */
const weigh = (sizes: number[]): TestApp['db'] =>
  app.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      sizes.push(JSON.stringify(result.rows).length);
      return result;
    },
  });

test('a wrong proof reads no keys, so its timing does not reveal a recovery kit', async () => {
  const owner = await registerTestUser(app);
  await owner.client.account.save_recovery({
    password: owner.loginHash,
    recovery: { proof: randomBytes(32).toString('hex'), main_key: owner.mainKey },
  });
  const sizesOf = async (email: string): Promise<number[]> => {
    const sizes: number[] = [];
    const proof = randomBytes(32).toString('hex');
    await openKit({ ...app.deps, db: weigh(sizes) }, email, proof).catch(() => null);
    return sizes;
  };
  const [ofOwner, ofNobody] = [await sizesOf(owner.email), await sizesOf('nobody@keyfold.test')];
  expect(ofOwner).toHaveLength(ofNobody.length);
  expect(Math.max(...ofOwner)).toBeLessThan(500);
});

test('a refusal is recorded after a delay, so that no later request reveals it by timing', async () => {
  const { email } = await registerTestUser(app);
  const statements: number[] = [];
  const settle = async () => {
    for (let turns = 0; turns < 20; turns++)
      await app.db.selectFrom('logins').select('id').limit(1).execute();
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const db = weigh(statements);
    const place = { ip: '203.0.113.1', userAgent: 'A browser' };
    recordRefusal({ db, logger: app.deps.logger }, email, 'wrong_password', place, new Date());
    await settle();
    expect(statements).toEqual([]);
    vi.advanceTimersByTime(1_000);
  } finally {
    vi.useRealTimers();
  }
  await expect.poll(() => statements.length).toBeGreaterThan(0);
});

test('a stored hash names its parameters, has its own salt, and matches one login hash only', async () => {
  const loginHash = randomBytes(32).toString('hex');
  const [first, second] = [await hashLogin(loginHash), await hashLogin(loginHash)];
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(second).not.toBe(first);
  expect(await isLoginHash(loginHash, first)).toBe(true);
  expect(
    await isLoginHash(
      loginHash.replace(/^./, char => (char === '0' ? '1' : '0')),
      first,
    ),
  ).toBe(false);
  expect(await isLoginHash(loginHash, await hashOfNobody())).toBe(false);
  await expect(isLoginHash(loginHash, 'plain')).rejects.toThrow();
});
