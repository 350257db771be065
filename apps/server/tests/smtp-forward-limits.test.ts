/**
 * Limits on forwarding role mail: memory within the budget of all inbound mail, and quotas per site
 * and in total.
 */
import { connectSmtp, deliver } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMetrics } from '../src/base/metrics.ts';
import { readAudit } from '../src/features/support/audit/index.ts';
import { type ByteBudget, createByteBudget } from '../src/smtp/inbound/byte-budget.ts';
import { createTestClock } from './harness/clock.ts';
import {
  addReader,
  type InboundTest,
  readMails,
  startInboundTest,
  type TestReader,
} from './harness/inbound.ts';

/** Scaled down: 25 MB of the budget of 256 MiB. */
const SIZE_BYTES = 25_000;
const BOUND_BYTES = 256 * 1024;
/** A forwarded message needs memory for itself and three copies. */
const TIMES = 4;
const DAY_MS = 86_400_000;

/** Creates a budget that records its reservations. */
function createWatchedBudget() {
  const budget = createByteBudget(BOUND_BYTES);
  const seen = { taken: 0, most: 0, sum: 0 };
  const watched: ByteBudget = {
    ...budget,
    take: sizeBytes => {
      if (!budget.take(sizeBytes)) return false;
      seen.taken += sizeBytes;
      seen.sum += sizeBytes;
      seen.most = Math.max(seen.most, seen.taken);
      return true;
    },
    give: sizeBytes => {
      seen.taken -= sizeBytes;
      budget.give(sizeBytes);
    },
  };
  return { seen, watched };
}

const clock = createTestClock();
const { seen, watched } = createWatchedBudget();
let narrow: InboundTest;
let shared: InboundTest;
let root: TestReader;

const env = { KEYFOLD_FORWARD: 'abuse=ops@outside.test' };
beforeAll(async () => {
  [narrow, shared] = await Promise.all([
    startInboundTest({ env, budget: watched }),
    startInboundTest({ deps: { clock }, env: { ...env, KEYFOLD_MAIL_GATEWAYS: '192.0.2.1' } }),
  ]);
  await addReader(narrow.deps.db, ['root@keyfold.test'], { isSuper: true });
  await addReader(narrow.deps.db, ['bob@keyfold.test']);
  root = await addReader(shared.deps.db, ['root@keyfold.test'], { isSuper: true });
});
afterAll(async () => {
  await Promise.all([narrow.close(), shared.close()]);
});

let count = 0;
function message(sizeBytes = 0): Buffer {
  const head = `From: al@relay.test\r\nSubject: Spam from you\r\nDate: Mon, 23 Nov 2026 10:00:00 +0000\r\nMessage-ID: <${String(++count).padStart(6, '0')}@relay.test>\r\n\r\n`;
  const lines = `${'x'.repeat(78)}\r\n`.repeat(Math.ceil(Math.max(0, sizeBytes - head.length) / 80));
  return Buffer.from(`${head}It was you.\r\n${lines}`);
}
async function bring({ smtp }: InboundTest, raw: Buffer, to: string, from?: string): Promise<string> {
  const client = await connectSmtp(smtp.port, from);
  await client.reply();
  await client.command('EHLO mx.relay.test');
  try {
    return await deliver(client, { from: 'al@relay.test', to: [to], raw });
  } finally {
    client.destroy();
  }
}
const countForwards = async ({ deps }: InboundTest) =>
  (await deps.db.selectFrom('outbound_messages').select('id').where('is_forward', '=', true).execute())
    .length;

test('a forwarded message counts with its copies against the memory limit until it is stored', async () => {
  const raw = message(SIZE_BYTES);
  expect(await bring(narrow, raw, 'bob@keyfold.test')).toMatch(/^250/);
  expect(seen).toMatchObject({ taken: 0, sum: raw.length });
  seen.sum = 0;
  expect(await bring(narrow, message(SIZE_BYTES), 'abuse@keyfold.test')).toMatch(/^250/);
  expect(seen).toMatchObject({ taken: 0, sum: TIMES * raw.length });
  expect(await countForwards(narrow)).toBe(1);
});

test('role mail is deferred as a whole without memory for its copies, other mail of its size is accepted', async () => {
  const before = await countForwards(narrow);
  const raw = message(SIZE_BYTES);
  const busyBytes = BOUND_BYTES - TIMES * raw.length + 1;
  expect(watched.take(busyBytes)).toBe(true);
  const mails = async () => (await narrow.deps.db.selectFrom('mails').select('id').execute()).length;
  const mailsBefore = await mails();
  expect(await bring(narrow, raw, 'abuse@keyfold.test')).toMatch(/^452 4\.3\.1/);
  expect(await mails()).toBe(mailsBefore);
  expect(await bring(narrow, message(SIZE_BYTES), 'bob@keyfold.test')).toMatch(/^250/);
  expect(await countForwards(narrow)).toBe(before);
  watched.give(busyBytes);
  expect(await bring(narrow, raw, 'abuse@keyfold.test')).toMatch(/^250/);
  expect(await countForwards(narrow)).toBe(before + 1);
});

test('fifty concurrent messages stay within the limit, and deferred ones leave nothing half done', async () => {
  const before = await countForwards(narrow);
  const messages = Array.from({ length: 50 }, () => message(SIZE_BYTES));
  let left = messages;
  for (let rounds = 0; rounds < 50 && left.length > 0; rounds++) {
    const answers = await Promise.all(left.map(raw => bring(narrow, raw, 'abuse@keyfold.test')));
    for (const answer of answers) expect(answer).toMatch(/^(?:250|452 4\.3\.1)/);
    left = left.filter((_, index) => !answers[index]?.startsWith('250'));
    expect(seen.taken).toBe(0);
    expect(await countForwards(narrow)).toBe(before + messages.length - left.length);
  }
  expect(left).toEqual([]);
  expect(seen.most).toBeLessThanOrEqual(BOUND_BYTES);
});

test('one site uses up only its own share, and the limit is recorded in the audit log once a day', async () => {
  const told = async () =>
    (await readAudit(shared.deps.db, { count: 10 })).entries
      .filter(({ action }) => action === 'limit_forwards')
      .map(({ actor, object }) => [actor.kind, object]);
  const refused = async () =>
    Number(
      /^keyfold_forwards_total\{outcome="too_many"\} (\d+)$/m.exec((await readMetrics()).text)?.[1] ?? 0,
    );
  const refusedBefore = await refused();
  const bringFrom = async (from: string) =>
    expect(await bring(shared, message(), 'abuse@keyfold.test', from)).toMatch(/^250/);
  for (let mails = 0; mails < 60; mails++) await bringFrom(`127.0.5.${1 + (mails % 9)}`);
  expect(await countForwards(shared)).toBe(60);
  expect(await told()).toEqual([]);
  for (let mails = 0; mails < 2; mails++) await bringFrom('127.0.5.20');
  expect(await countForwards(shared)).toBe(60);
  expect(await readMails(shared, root)).toHaveLength(62);
  expect(await refused()).toBe(refusedBefore + 2);
  expect(await told()).toEqual([['service', 'site']]);
  await bringFrom('127.0.6.1');
  expect(await countForwards(shared)).toBe(61);
  clock.advance(DAY_MS);
  await bringFrom('127.0.5.20');
  expect(await told()).toEqual([
    ['service', 'site'],
    ['service', 'site'],
  ]);
});
