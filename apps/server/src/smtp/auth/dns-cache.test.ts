import { expect, test } from 'vitest';
import type { Dns } from '../../adapters/dns.ts';
import { createDnsCache } from './dns-cache.ts';

const withCode = (code: string) => Object.assign(new Error(code), { code });

function make() {
  const state = { nowMs: 1, asked: [] as string[], failure: null as Error | null };
  const dns: Dns = {
    resolve: async (name, type) => {
      state.asked.push(`${type} ${name}`);
      if (state.failure !== null) throw state.failure;
      return [[`answer ${state.asked.length}`]];
    },
  };
  return { state, cache: createDnsCache(dns, () => state.nowMs) };
}

test('an answer is cached for a minute and shared by concurrent lookups', async () => {
  const { state, cache } = make();
  const both = await Promise.all([cache.resolve('a.test', 'TXT'), cache.resolve('A.test', 'TXT')]);
  expect(both[0]).toEqual(both[1]);
  await cache.resolve('a.test', 'MX');
  state.nowMs = 59_000;
  await cache.resolve('a.test', 'TXT');
  expect(state.asked).toEqual(['TXT a.test', 'MX a.test']);
  state.nowMs = 61_000;
  await cache.resolve('a.test', 'TXT');
  expect(state.asked).toHaveLength(3);
});

test('a missing name is cached, and a failed lookup is retried', async () => {
  const { state, cache } = make();
  state.failure = withCode('ENOTFOUND');
  for (let round = 0; round < 2; round++) await expect(cache.resolve('a.test', 'TXT')).rejects.toThrow();
  expect(state.asked).toHaveLength(1);
  state.failure = withCode('ETIMEOUT');
  for (let round = 0; round < 2; round++) await expect(cache.resolve('b.test', 'TXT')).rejects.toThrow();
  expect(state.asked).toHaveLength(3);
  state.failure = null;
  await expect(cache.resolve('b.test', 'TXT')).resolves.toEqual([['answer 4']]);
});
