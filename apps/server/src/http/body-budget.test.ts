import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../tests/harness/app.ts';
import { registerTestUser, type TestUser } from '../../tests/harness/users.ts';
import { createBodyBudget } from './body-budget.ts';

const MIB = 1024 * 1024;

test('a user may send two of the largest bodies at once, with a total limit and space for small ones', () => {
  const budget = createBodyBudget();
  const first = budget.take('a', 50 * MIB);
  budget.take('a', 50 * MIB);
  expect(() => budget.take('a', 50 * MIB)).toThrow('Rate limited');
  budget.take('a', MIB);
  for (const user of ['b', 'c']) for (let n = 0; n < 2; n++) budget.take(user, 50 * MIB);
  expect(() => budget.take('d', 50 * MIB)).toThrow('Part of the service is unavailable');
  first();
  first();
  budget.take('d', 50 * MIB);
  expect(() => budget.take('e', 50 * MIB)).toThrow('Part of the service is unavailable');
});

test('small bodies held open are also limited per user and in total', () => {
  const budget = createBodyBudget();
  for (let n = 0; n < 128; n++) budget.take('a', 256 * 1024);
  expect(() => budget.take('a', 256 * 1024)).toThrow('Rate limited');
  budget.take('a', 4096);
  for (let other = 0; other < 7; other++) for (let n = 0; n < 32; n++) budget.take(`user ${other}`, MIB);
  expect(() => budget.take('b', MIB)).toThrow('Part of the service is unavailable');
  budget.take('b', 4096);
});

test('anonymous bodies are counted by received bytes in their own pool and never use up the users’ pool', () => {
  const budget = createBodyBudget();
  const full = (ip: string) => {
    const receipt = budget.receive(ip, false);
    for (let pieces = 0; pieces < 64; pieces++) receipt.add(32 * 1024);
    return receipt;
  };
  const first = full('192.0.0.1');
  const more = budget.receive('192.0.0.1', false);
  more.add(4096);
  expect(() => more.add(1)).toThrow('Rate limited');
  for (let site = 1; site < 16; site++) full(`192.0.${site}.1`);
  const late = budget.receive('192.0.99.1', false);
  late.add(4096);
  expect(() => late.add(4096)).toThrow('Part of the service is unavailable');
  // Signed calls of services have their own pool, and users are not affected.
  budget.receive('192.0.99.1', true).add(MIB);
  for (let n = 0; n < 8; n++) budget.take(`user ${n}`, MIB);
  first.close();
  first.close();
  budget.receive('192.0.99.1', false).add(2 * MIB);
  first.add(MIB);
  expect(() => budget.receive('192.0.98.1', false).add(8192)).toThrow('Part of the service is unavailable');
});

test.each([
  ['IPv4', (n: number) => `192.0.2.${n}`, '192.0.3.1'],
  ['IPv4 seen by a listener for both', (n: number) => `::ffff:192.0.2.${n}`, '192.0.3.1'],
  ['IPv6', (n: number) => `2001:db8:1:${n}::1`, '2001:db8:2::1'],
])(
  'a site of %s uses a quarter of the budget at most, however many addresses it has',
  (_, addressOf, elsewhere) => {
    const budget = createBodyBudget();
    const receipts = Array.from({ length: 4 }, (__, n) => budget.receive(addressOf(n + 1), false));
    for (const receipt of receipts) receipt.add(2 * MIB);
    expect(() => budget.receive(addressOf(99), false).add(8192)).toThrow('Rate limited');
    budget.receive(elsewhere, false).add(2 * MIB);
    receipts[0]?.close();
    budget.receive(addressOf(99), false).add(2 * MIB);
    expect(() => budget.receive(addressOf(98), false).add(8192)).toThrow('Rate limited');
  },
);

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await registerTestUser(app);
});
afterAll(() => app.close());

/** Silence after which a body counts as accepted, in milliseconds. */
const SILENCE_MS = 500;
/** Longest wait for a required response, in milliseconds. */
const ANSWER_MS = 15_000;

/**
 * Announces a body of the given size and sends none of it, or only the given bytes; returns the
 * first line of the response, or ''.
 */
function announceTo(path: string, head: string, waitMs: number, sent = '') {
  const socket = net.connect(Number(app.app.httpPort), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${head}\r\n\r\n${sent}`,
  );
  const answer = new Promise<string>(resolve => {
    socket.once('data', data => resolve(data.toString('latin1').split('\r\n', 1)[0] ?? ''));
    setTimeout(resolve, waitMs, '');
  });
  return { socket, answer };
}
function announce(length: string, waitMs: number) {
  const cookie = `keyfold_session=${user.client.jar.get('keyfold_session')}`;
  return announceTo('/user/draft', `cookie: ${cookie}\r\n${length}`, waitMs);
}

test('a body over the budget is refused before it is read, and a closed connection frees its share', async () => {
  const held = [
    announce(`content-length: ${48 * MIB}`, SILENCE_MS),
    announce('transfer-encoding: chunked', SILENCE_MS),
  ];
  for (const { answer } of held) expect(await answer).toBe('');
  const refused = announce(`content-length: ${40 * MIB}`, ANSWER_MS);
  expect(await refused.answer).toMatch(/^HTTP\/1\.1 429 /);
  for (const { socket } of [...held, refused]) socket.destroy();
  await expect
    .poll(async () => {
      const again = announce(`content-length: ${40 * MIB}`, SILENCE_MS);
      const line = await again.answer;
      again.socket.destroy();
      return line;
    })
    .toBe('');
});

test('anonymous bodies that are announced or half sent do not block users', async () => {
  const half = 'x'.repeat(31 * 1024);
  const held = [
    ...Array.from({ length: 150 }, () => announceTo('/auth/login', 'content-length: 32768', SILENCE_MS)),
    ...Array.from({ length: 60 }, () => announceTo('/auth/login', 'content-length: 32768', SILENCE_MS, half)),
  ];
  for (const { answer } of held) expect(await answer).toBe('');
  // Exceeds the share of this network: further bodies are rejected with an error, while a small
  // body passes.
  const more = Array.from({ length: 10 }, () =>
    announceTo('/auth/login', 'content-length: 32768', ANSWER_MS, half),
  );
  const lines = await Promise.all(more.map(({ answer }) => Promise.race([answer, wait(SILENCE_MS, '')])));
  expect(lines.filter(line => line.includes(' 429 ')).length).toBeGreaterThan(0);
  const login = { email: user.email, password: 'f'.repeat(64) };
  await expect(user.client.sign_in.login(login)).rejects.toMatchObject({ status: 401 });
  const draft = announce(`content-length: ${40 * MIB}`, SILENCE_MS);
  expect(await draft.answer).toBe('');
  for (const { socket } of [...held, ...more, draft]) socket.destroy();
});

test('a public call refuses long bodies, and an unknown path refuses any body', async () => {
  for (const [path, bytes] of [
    ['/auth/login', 33 * 1024],
    ['/nowhere', 2048],
  ] as const) {
    const refused = announceTo(path, `content-length: ${bytes}`, ANSWER_MS);
    expect(await refused.answer).toMatch(/^HTTP\/1\.1 4(?:13|04) /);
    refused.socket.destroy();
  }
});
