// Log entries about a proxy that does not forward the client's address.
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../base/logger.ts';
import { watchProxies } from './proxy-watch.ts';

let app: FastifyInstance;
let named: unknown[];
beforeEach(() => {
  named = [];
  const logger = createLogger('silent');
  logger.warn = ((line: { proxy: string }) => named.push(line.proxy)) as typeof logger.warn;
  app = fastify();
  watchProxies(app, { logger, trustedProxies: ['172.18.0.0/16', 'fd00::/8'] });
  app.get('/*', async () => 'fine');
});
afterEach(() => app.close());

const ask = (remoteAddress: string, headers: Record<string, string> = {}, url = '/') =>
  app.inject({ url, remoteAddress, headers: { host: 'localhost:3000', ...headers } });

test('a trusted proxy without X-Forwarded-For is reported once', async () => {
  for (let asked = 0; asked < 3; asked++) await ask('172.18.0.2');
  await ask('::ffff:172.18.0.2');
  await ask('fd00::7');
  expect(named).toEqual(['172.18.0.2', 'fd00::7']);
});

test('a proxy on this machine is recognized by the headers it passes on', async () => {
  await ask('127.0.0.1');
  await ask('::1', { origin: 'http://localhost:3000' });
  expect(named).toEqual([]);
  await ask('127.0.0.1', { host: 'mail.example.org' });
  await ask('127.0.0.2', { 'x-forwarded-proto': 'https' });
  await ask('::1', { origin: 'https://mail.example.org' });
  expect(named).toEqual(['127.0.0.1', '127.0.0.2', '::1']);
});

test('correct proxies, health probes and untrusted addresses are not reported', async () => {
  await ask('172.18.0.2', { 'x-forwarded-for': '203.0.113.4' });
  await ask('172.18.0.2', {}, '/health');
  await ask('172.18.0.2', {}, '/ready?x=1');
  await ask('203.0.113.9', { host: 'mail.example.org' });
  expect(named).toEqual([]);
});

test('a large trusted network cannot flood the log', async () => {
  for (let host = 0; host < 250; host++) await ask(`172.18.1.${host}`);
  expect(named).toHaveLength(100);
});
