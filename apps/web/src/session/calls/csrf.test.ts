import { api } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { describe, expect, test } from 'vitest';
import { CSRF_LIFETIME_MS, CSRF_REFRESH_BUFFER_MS } from '../../timing.ts';
import { createCsrfGuard } from './csrf.ts';

const refused = (status: number, code: string, message = code, cause?: unknown) =>
  new CallError(api.admin_access.token, { status, code, message }, cause);

function setup(fetchToken?: () => Promise<string>) {
  const seen = { asked: 0, waits: [] as number[], tokens: [] as (string | undefined)[] };
  let now = 1_000_000;
  const guard = createCsrfGuard({
    fetchToken:
      fetchToken ??
      (async () => {
        seen.asked += 1;
        return `token ${seen.asked}`;
      }),
    nowMs: () => now,
    wait: async ms => {
      seen.waits.push(ms);
    },
  });
  const call = (outcomes: (CallError | 'ok')[]) =>
    guard.run(async options => {
      seen.tokens.push(options.headers?.['x-csrf-token']);
      const next = outcomes.shift() ?? 'ok';
      if (next !== 'ok') throw next;
      return next;
    });
  return { guard, seen, call, pass: (ms: number) => (now += ms) };
}

describe('the CSRF token', () => {
  test('is fetched once, even for concurrent calls', async () => {
    const { call, seen } = setup();
    await Promise.all([call([]), call([])]);
    await call([]);
    expect(seen.asked).toBe(1);
    expect(seen.tokens).toEqual(['token 1', 'token 1', 'token 1']);
  });

  test('is reused until five minutes before the end of its 23 hours', async () => {
    const { call, seen, pass, guard } = setup();
    await call([]);
    pass(CSRF_LIFETIME_MS - CSRF_REFRESH_BUFFER_MS);
    await call([]);
    expect(seen.asked).toBe(1);
    pass(1);
    await call([]);
    expect(seen.asked).toBe(2);
    expect(guard.ageMs()).toBe(0);
  });

  test('is replaced one second after a refusal, at most three times', async () => {
    const no = () => refused(403, 'csrf_refused', 'CSRF token validation failed. Please try again.');
    const one = setup();
    expect(await one.call([no(), no(), no()])).toBe('ok');
    expect(one.seen).toMatchObject({ asked: 4, waits: [1000, 1000, 1000] });
    const two = setup();
    await expect(two.call([no(), no(), no(), no()])).rejects.toThrow(
      'CSRF token validation failed. Please try again.',
    );
    expect(two.seen.asked).toBe(4);
  });

  test('is not replaced after an unrelated refusal', async () => {
    const { call, seen } = setup();
    await expect(call([refused(403, 'forbidden')])).rejects.toMatchObject({ code: 'forbidden' });
    expect(seen).toMatchObject({ asked: 1, waits: [] });
  });

  test.each([
    ['Failed to get CSRF token', () => Promise.reject(refused(500, 'failed'))],
    ['Failed to get CSRF token', () => Promise.reject(refused(0, 'no_answer'))],
    [
      'Invalid CSRF token response',
      () => Promise.reject(refused(0, 'no_answer', 'x', Object.assign(new Error(), { name: 'ZodError' }))),
    ],
    ['Invalid CSRF token response', async () => ''],
    ['rate_limited', () => Promise.reject(refused(429, 'rate_limited'))],
  ])('fails the call when it is unavailable: %s', async (text, fetchToken) => {
    await expect(setup(fetchToken).call([])).rejects.toThrow(text);
  });
});
