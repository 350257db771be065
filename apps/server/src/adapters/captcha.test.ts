import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../tests/harness/app.ts';
import { createTestClient } from '../../tests/harness/client.ts';
import { codeOf } from '../../tests/harness/codes.ts';
import { createTestKeys } from '../../tests/harness/users.ts';
import { startApp } from '../app.ts';
import { CAPTCHA_LOOKUPS_MAX, CAPTCHA_TRIES_MAX } from '../base/entry-limits.ts';
import { CAPTCHA_LIFETIME_MS } from '../base/limits.ts';
import { createMasterKey } from '../base/master-key.ts';
import { createCaptcha } from './captcha.ts';

type Challenge = Parameters<typeof solveChallenge>[0]['challenge'];
type Payload = { challenge: Challenge; solution: { counter: number; derivedKey: string } };

/** Cheap enough for a test; the kind of work is the same. */
const COST = 2;
const NOW = new Date();
const later = (byMs: number) => new Date(NOW.getTime() + byMs);
const captcha = createCaptcha(COST, createMasterKey(Buffer.alloc(32, 7)));

async function solve(challenge: Record<string, unknown>): Promise<Payload> {
  const typed = challenge as unknown as Challenge;
  const solution = await solveChallenge({ challenge: typed, deriveKey });
  if (solution === null) throw new Error('not solved');
  return { challenge: typed, solution };
}

const encode = (payload: unknown): string => Buffer.from(JSON.stringify(payload)).toString('base64');

describe('a challenge', () => {
  test('is solved by work, and also by the same work again (the caller ensures single use)', async () => {
    const payload = encode(await solve(await captcha.challenge(NOW)));
    const solved = await captcha.findSolved(payload, NOW);
    expect(solved?.nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(await captcha.findSolved(payload, NOW)).toEqual(solved);
  });

  test('expires', async () => {
    const payload = encode(await solve(await captcha.challenge(NOW)));
    expect(await captcha.findSolved(payload, later(CAPTCHA_LIFETIME_MS + 1000))).toBeNull();
  });

  test('of another server, made easier, or without work is rejected', async () => {
    const payload = await solve(await captcha.challenge(NOW));
    const { challenge, solution } = payload;
    const with_ = (change: Record<string, unknown>) =>
      encode({ ...payload, challenge: { ...challenge, parameters: { ...challenge.parameters, ...change } } });
    const other = createCaptcha(COST, createMasterKey(Buffer.alloc(32, 8)));
    expect(await other.findSolved(encode(payload), NOW)).toBeNull();
    expect(await captcha.findSolved(with_({ nonce: '00'.repeat(16) }), NOW)).toBeNull();
    expect(await captcha.findSolved(with_({ expiresAt: 9_999_999_999 }), NOW)).toBeNull();
    expect(await captcha.findSolved(with_({ cost: 1 }), NOW)).toBeNull();
    expect(await captcha.findSolved(with_({ keyPrefix: '' }), NOW)).toBeNull();
    const lazy = { ...solution, derivedKey: `${challenge.parameters.keyPrefix}${'00'.repeat(16)}` };
    expect(await captcha.findSolved(encode({ challenge, solution: lazy }), NOW)).toBeNull();
  });

  test.each(['', 'x', '{}', encode(null), encode([]), encode({ challenge: 1, solution: 2 })])(
    'is not solved by %j',
    async payload => {
      expect(await captcha.findSolved(payload, NOW)).toBeNull();
    },
  );

  test('is empty when the check is off', async () => {
    expect(await createCaptcha(0, createMasterKey(Buffer.alloc(32))).challenge(NOW)).toEqual({});
  });
});

describe('sign-up with a CAPTCHA', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ config: { captchaCost: COST } });
  });
  afterAll(() => app.close());

  const fresh = async () => encode(await solve((await app.client().sign_up.captcha({})).data));
  const register = async (username: string, payload: string) =>
    app.client().sign_up.register({
      name: username,
      username,
      domain: 'keyfold.test',
      password: 'ab'.repeat(32),
      captcha: payload,
      main_key: (await createTestKeys()).mainKey,
    });

  test('accepts a solution once, and gives it back when the name is taken', async () => {
    const [first, second] = [await fresh(), await fresh()];
    expect(await codeOf(register('ivan', 'none'))).toBe('422 captcha_refused');
    await register('ivan', first);
    expect(await codeOf(register('judy', first))).toBe('422 captcha_refused');
    expect(await codeOf(register('ivan', second))).toBe('409 address_taken');
    await register('judy', second);
  });

  const isFree = async (username: string, payload: string, { sign_up } = app.client()) =>
    (await sign_up.available({ username, domain: 'keyfold.test', captcha: payload })).data.available;

  test('answers availability checks with a solution without using it up', async () => {
    const [first, second] = [await fresh(), await fresh()];
    expect(await isFree('mallory', first)).toBe(true);
    await register('mallory', first);
    expect(await isFree(' Mallory ', second)).toBe(false);
    expect(await isFree('trent', second)).toBe(true);
    expect(await codeOf(isFree('no name', second))).toBe('422 username_refused');
    // A solution that created an account no longer answers availability checks.
    expect(await codeOf(isFree('trent', first))).toBe('422 captcha_refused');
    const unsolved = { username: 'mallory', domain: 'keyfold.test', captcha: 'none' };
    expect(await codeOf(app.client().sign_up.available(unsolved))).toBe('422 captcha_refused');
  });

  test('answers 20 availability checks per solution across machines; it still creates an account', async () => {
    const payload = await fresh();
    const other = await startApp(app.config, app.database.connection, { build: null });
    const [here, there] = [app.client(), createTestClient(`http://127.0.0.1:${other.httpPort}`)];
    const looks = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        codeOf(isFree(`look.${at}`, payload, at % 2 === 0 ? here : there)),
      ),
    );
    await other.close();
    expect(looks.filter(code => code === '422 captcha_refused')).toHaveLength(30 - CAPTCHA_LOOKUPS_MAX);
    expect(await codeOf(register('mallory', payload))).toBe('409 address_taken');
    await register('peggy', payload);
    expect(await isFree('victor', await fresh())).toBe(true);
  });

  test('limits how many taken names one solution can reveal', async () => {
    const payload = await fresh();
    for (let tries = 0; tries < CAPTCHA_TRIES_MAX; tries++)
      expect(await codeOf(register('mallory', payload))).toBe('409 address_taken');
    expect(await codeOf(register('mallory', payload))).toBe('422 captcha_refused');
    expect(await codeOf(register('mallory', await fresh()))).toBe('409 address_taken');
  });

  test('accepts one solution once, even in concurrent requests', async () => {
    const payload = encode(await solve((await app.client().sign_up.captcha({})).data));
    const results = await Promise.allSettled(
      ['k1', 'k2', 'k3', 'k4', 'k5'].map(name => register(name, payload)),
    );
    expect(results.filter(result => result.status === 'fulfilled')).toHaveLength(1);
  });
});
