import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDns, type TestDns } from '../../../tests/harness/dns.ts';
import { createDns, type Dns } from '../../adapters/dns.ts';
import { findHostName } from './host-name.ts';

const V6_NAME = '8.8.8.8.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.6.8.4.0.6.8.4.1.0.0.2.ip6.arpa';

let server: TestDns;
let dns: Dns;
beforeAll(async () => {
  server = await startTestDns({
    '1.113.0.9.in-addr.arpa': { PTR: ['Out.Good.example'] },
    'out.good.example': { A: ['9.0.113.7', '9.0.113.1'], AAAA: ['2001:4860:4860::8888'] },
    '2.113.0.9.in-addr.arpa': { PTR: ['out.good.example'] },
    '3.113.0.9.in-addr.arpa': { PTR: ['x y\r\nz', 'gone.example', 'out.good.example'] },
    '5.113.0.9.in-addr.arpa': { PTR: ['failing.example'] },
    [V6_NAME]: { PTR: ['out.good.example'] },
  });
  server.failing.add('4.113.0.9.in-addr.arpa');
  server.failing.add('failing.example');
  server.silent.add('6.113.0.9.in-addr.arpa');
  dns = createDns([server.server], 200);
});
afterAll(() => server.close());

test('a host is named when its PTR name resolves back to it', async () => {
  const named = { kind: 'named', name: 'out.good.example' };
  expect(await findHostName(dns, '9.0.113.1')).toEqual(named);
  expect(await findHostName(dns, '::ffff:9.0.113.1')).toEqual(named);
  expect(await findHostName(dns, '2001:4860:4860::8888')).toEqual(named);
  expect(await findHostName(dns, '2001:4860:4860:0:0:0:0:8888')).toEqual(named);
});

test('a PTR name that resolves elsewhere or is invalid does not count', async () => {
  for (const ip of ['9.0.113.2', '9.0.113.3', '9.0.113.200', '2001:4860:4860::8889'])
    expect(await findHostName(dns, ip)).toEqual({ kind: 'none' });
});

test('a failing or silent DNS yields unknown, and private addresses are not looked up', async () => {
  for (const ip of ['9.0.113.4', '9.0.113.5'])
    expect(await findHostName(dns, ip)).toEqual({ kind: 'unknown' });
  const startedAt = performance.now();
  expect(await findHostName(dns, '9.0.113.6', 100)).toEqual({ kind: 'unknown' });
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  server.asked.length = 0;
  for (const ip of ['127.0.0.1', '::1', '192.168.1.1', '::ffff:10.0.0.1', 'nonsense'])
    expect(await findHostName(dns, ip)).toEqual({ kind: 'unknown' });
  expect(server.asked).toEqual([]);
});
