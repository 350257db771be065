// The addresses on which the server listens, and the client address it sees for IPv4 connections to
// a dual-stack listener.
import os from 'node:os';
import { expect, test } from 'vitest';
import { startTestApp } from '../../tests/harness/app.ts';
import { createTestClient } from '../../tests/harness/client.ts';
import { readConfig } from '../config/config.ts';
import { createNetworkTest } from '../config/networks.ts';

const hasIpv6 = Object.values(os.networkInterfaces()).some(all =>
  all?.some(({ address }) => address === '::1'),
);

test('HTTP is reachable only from this machine unless KEYFOLD_HOST says otherwise', async () => {
  const { httpHost } = readConfig({});
  const app = await startTestApp({ config: { httpHost } });
  try {
    expect((await fetch(`${app.baseUrl}/health`)).status).toBe(200);
    const others = Object.values(os.networkInterfaces()).flatMap(all =>
      (all ?? []).filter(one => !one.internal && one.family === 'IPv4'),
    );
    for (const { address } of others)
      await expect(fetch(`${app.baseUrl.replace('127.0.0.1', address)}/health`)).rejects.toThrow();
  } finally {
    await app.close();
  }
});

test('an IPv4-mapped IPv6 address matches IPv4 networks', () => {
  const isProxy = createNetworkTest(['127.0.0.0/8', '172.18.0.0/16', 'fd00::/8']);
  expect(['::ffff:127.0.0.1', '::ffff:172.18.3.4', 'fd00::1'].map(isProxy)).toEqual([true, true, true]);
  expect(['::ffff:172.19.3.4', '::1', '::ffff:8.8.8.8'].map(isProxy)).toEqual([false, false, false]);
});

test('the server listens on IPv4 and IPv6 and trusts a local proxy on either', async () => {
  const app = await startTestApp({ config: { httpHost: hasIpv6 ? '::' : '0.0.0.0' } });
  try {
    const ways = [app.baseUrl, ...(hasIpv6 ? [app.baseUrl.replace('127.0.0.1', '[::1]')] : [])];
    for (const [index, url] of ways.entries()) {
      const { fetch } = createTestClient(url);
      const ask = async (headers: Record<string, string> = {}) =>
        (await fetch('/auth/captcha', { headers })).status;
      // Programs on this machine are not counted; the clients they forward for are.
      for (let asked = 0; asked < 61; asked++) expect(await ask()).not.toBe(429);
      const visitor = { 'x-forwarded-for': `203.0.113.${index}` };
      for (let asked = 0; asked < 60; asked++) expect(await ask(visitor)).not.toBe(429);
      expect(await ask(visitor)).toBe(429);
      expect(await ask({ 'x-forwarded-for': `::ffff:203.0.113.${index}` })).toBe(429);
      expect(await ask({ 'x-forwarded-for': '203.0.113.99' })).not.toBe(429);
    }
  } finally {
    await app.close();
  }
});
