import net from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../tests/harness/app.ts';
import { registerTestUser, type TestUser } from '../../tests/harness/users.ts';
import { createBodyBudget } from './body-budget.ts';

const MIB = 1024 * 1024;

test('one user has two of the largest bodies under way, all together a few more, small ones beside them', () => {
  const budget = createBodyBudget();
  const first = budget.take('a', 50 * MIB);
  budget.take('a', 50 * MIB);
  expect(() => budget.take('a', 50 * MIB)).toThrow('Rate limited');
  budget.take('a', MIB);
  for (const user of ['b', 'c']) for (let n = 0; n < 2; n++) budget.take(user, 50 * MIB);
  expect(() => budget.take('d', 50 * MIB)).toThrow('not reachable');
  first();
  first();
  budget.take('d', 50 * MIB);
  expect(() => budget.take('e', 50 * MIB)).toThrow('not reachable');
});

test('small bodies that are held fill no machine either, whoever holds them', () => {
  const budget = createBodyBudget();
  for (let n = 0; n < 128; n++) budget.take('a', 256 * 1024);
  expect(() => budget.take('a', 256 * 1024)).toThrow('Rate limited');
  budget.take('a', 4096);
  for (let other = 0; other < 7; other++) for (let n = 0; n < 32; n++) budget.take(`network ${other}`, MIB);
  expect(() => budget.take('b', MIB)).toThrow('not reachable');
  budget.take('b', 4096);
});

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  user = await registerTestUser(app);
});
afterAll(() => app.close());

/** How long a body is held to be taken when nothing comes back. */
const silenceMs = 500;
/** Longest wait for an answer that must come. */
const answerMs = 15_000;

/** Announces a draft of so many bytes and sends none of them; answers the first line that comes back, or ''. */
const announce = (length: string, waitMs: number) => {
  const socket = net.connect(Number(app.app.httpPort), '127.0.0.1');
  const cookie = `keyfold_session=${user.client.jar.get('keyfold_session')}`;
  socket.write(
    `POST /user/draft HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\ncontent-type: application/json\r\n${length}\r\n\r\n`,
  );
  const answer = new Promise<string>(resolve => {
    socket.once('data', data => resolve(data.toString('latin1').split('\r\n', 1)[0] ?? ''));
    setTimeout(resolve, waitMs, '');
  });
  return { socket, answer };
};

test('a body too many is refused before any of it is read, and its room comes back with its connection', async () => {
  const held = [
    announce(`content-length: ${48 * MIB}`, silenceMs),
    announce('transfer-encoding: chunked', silenceMs),
  ];
  for (const { answer } of held) expect(await answer).toBe('');
  const refused = announce(`content-length: ${40 * MIB}`, answerMs);
  expect(await refused.answer).toMatch(/^HTTP\/1\.1 429 /);
  for (const { socket } of [...held, refused]) socket.destroy();
  await expect
    .poll(async () => {
      const again = announce(`content-length: ${40 * MIB}`, silenceMs);
      const line = await again.answer;
      again.socket.destroy();
      return line;
    })
    .toBe('');
});
