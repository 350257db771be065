// Tests how the balancer handles failed nodes under concurrent requests.
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../product.ts';
import { type Balancer, createBalancer } from './balancer.ts';

const host = '127.0.0.1';
const web = http.createServer((_, answer) => answer.end('here'));
const mail = net.createServer(socket => socket.end('220 here\r\n'));
let balancer: Balancer;

beforeAll(async () => {
  const listening = async (server: net.Server): Promise<number> => {
    await new Promise<void>(resolve => server.listen(0, host, resolve));
    return (server.address() as AddressInfo).port;
  };
  const there = { host, httpPort: await listening(web), smtpPort: await listening(mail) };
  const gone = { host, httpPort: await findFreePort(), smtpPort: await findFreePort() };
  balancer = createBalancer([gone, there, gone], {
    httpPort: await findFreePort(),
    smtpPort: await findFreePort(),
  });
  await balancer.open();
});
afterAll(async () => {
  await balancer.close();
  for (const server of [web, mail]) server.close();
});

test('concurrent reads and writes all reach a running node', async () => {
  const ask = async (method: string) =>
    (await fetch(`http://${host}:${balancer.httpPort}/`, { method })).status;
  const asked = Array.from({ length: 60 }, (_, at) => ask(at % 2 === 0 ? 'GET' : 'POST'));
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
  expect(balancer.broken()).toBe(0);
  expect(balancer.taken()).toEqual([0, asked.length, 0]);
});

test('concurrent SMTP connections all reach a running node', async () => {
  const greet = () =>
    new Promise<string>((resolve, reject) => {
      const socket = net.connect(balancer.smtpPort, host);
      let text = '';
      socket.on('data', chunk => {
        text += chunk.toString();
      });
      socket.once('error', reject);
      socket.once('close', () => resolve(text));
    });
  const greeted = await Promise.all(Array.from({ length: 30 }, greet));
  expect(new Set(greeted)).toEqual(new Set(['220 here\r\n']));
});
