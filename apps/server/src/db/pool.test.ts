import net, { type AddressInfo } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { isUnreachable } from './pool.ts';

test('a database that accepts a connection but never answers counts as unreachable', async () => {
  const server = net.createServer(() => {});
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const options = {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    connectionTimeoutMillis: 50,
  };
  const client = new pg.Client(options);
  client.on('error', () => {});
  const pool = new pg.Pool(options);
  await expect(client.connect()).rejects.toSatisfy(isUnreachable);
  await expect(pool.query('select 1')).rejects.toSatisfy(isUnreachable);
  await pool.end();
  server.close();
});

test('a rejected statement does not count as an unreachable database', () => {
  expect(isUnreachable(Object.assign(new Error('duplicate key'), { code: '23505' }))).toBe(false);
  expect(isUnreachable('timeout expired')).toBe(false);
});
