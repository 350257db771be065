import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rspamdAnswer, startTestRspamd, type TestRspamd } from '../../tests/harness/rspamd.ts';
import { createRspamd, type ScannedMessage } from './spam-scanner.ts';

const logger = pino({ level: 'silent' });
const MESSAGE: ScannedMessage = {
  raw: Buffer.from('Subject: x\r\n\r\nText\r\n'),
  clientIp: '203.0.113.9',
  helo: 'out.example',
  hostName: null,
  envelopeFrom: 'zoe@good.example',
};

let rspamd: TestRspamd;
beforeEach(async () => {
  rspamd = await startTestRspamd();
});
afterEach(() => rspamd.close());

const scanner = (more: { timeLimitMs?: number; restMs?: number; url?: string } = {}) =>
  createRspamd({ url: rspamd.url, logger, ...more });
async function pointsFor(json: unknown): Promise<number | null> {
  rspamd.says = { json };
  return scanner().scan(MESSAGE);
}

test('rspamd receives a message unchanged, with its sending host but without its recipients', async () => {
  expect(await scanner({ url: `${rspamd.url}/behind/` }).scan({ ...MESSAGE, helo: 'a\r\nRcpt: x' })).toBe(0);
  const [scan] = rspamd.scans;
  expect(scan).toMatchObject({ method: 'POST', url: '/behind/checkv2' });
  expect(scan?.headers).toMatchObject({ ip: '203.0.113.9', helo: 'aRcpt: x', from: 'zoe@good.example' });
  expect(Object.keys(scan?.headers ?? {})).not.toContain('rcpt');
  expect(Object.keys(scan?.headers ?? {})).not.toContain('hostname');
  expect(scan?.body.equals(MESSAGE.raw as Buffer)).toBe(true);
  await scanner().scan({ ...MESSAGE, hostName: 'out.good.example' });
  expect(rspamd.scans[1]?.headers.hostname).toBe('out.good.example');
});

test('scores are on one scale, whatever limits the operator set in rspamd', async () => {
  expect(await pointsFor(rspamdAnswer(7.5))).toBe(7.5);
  expect(await pointsFor(rspamdAnswer(5, 'no action', 10))).toBe(7.5);
  expect(await pointsFor(rspamdAnswer(-3))).toBe(-3);
  expect(await pointsFor(rspamdAnswer(2, 'add header'))).toBe(6);
  expect(await pointsFor(rspamdAnswer(2, 'reject'))).toBe(15);
  expect(await pointsFor(rspamdAnswer(4.5, 'greylist'))).toBe(4.5);
  expect(await pointsFor({ score: 3 })).toBe(3);
});

test.each([
  ['an error', { status: 500, json: { error: 'no' } }],
  ['no JSON', { text: '<html>' }],
  ['null', { json: null }],
  ['no score', { json: { action: 'reject' } }],
  ['a score that is no number', { json: { score: '9e9' } }],
  ['an endless answer', { text: `{"score":1,"x":"${'x'.repeat(600_000)}"}` }],
])('%s is not a valid answer', async (_name, says) => {
  rspamd.says = says;
  expect(await scanner().scan(MESSAGE)).toBeNull();
});

test('a very large message is not sent to rspamd', async () => {
  expect(await scanner().scan({ ...MESSAGE, raw: Buffer.alloc(9 * 1024 * 1024) })).toBeNull();
  expect(rspamd.scans).toHaveLength(0);
});

test('a hanging rspamd delays three messages in a row and is then bypassed', async () => {
  rspamd.says = 'hang';
  const { scan } = scanner({ timeLimitMs: 60, restMs: 400 });
  for (let turn = 0; turn < 3; turn++) {
    const startedAt = performance.now();
    expect(await scan(MESSAGE)).toBeNull();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(50);
  }
  for (let turn = 0; turn < 20; turn++) expect(await scan(MESSAGE)).toBeNull();
  expect(rspamd.scans).toHaveLength(3);
  // After the pause, one message serves as the probe; the others proceed without a scan.
  await new Promise(resolve => setTimeout(resolve, 450));
  await Promise.all(Array.from({ length: 5 }, () => scan(MESSAGE)));
  expect(rspamd.scans).toHaveLength(4);
  await new Promise(resolve => setTimeout(resolve, 450));
  rspamd.says = { json: rspamdAnswer(8) };
  expect(await scan(MESSAGE)).toBe(8);
  expect(await scan(MESSAGE)).toBe(8);
});

test('an unreachable rspamd causes no delay and is used again once it is back', async () => {
  const port = Number(new URL(rspamd.url).port);
  await rspamd.close();
  const { scan } = scanner({ restMs: 50 });
  for (let turn = 0; turn < 5; turn++) expect(await scan(MESSAGE)).toBeNull();
  rspamd = await startTestRspamd(port);
  await new Promise(resolve => setTimeout(resolve, 80));
  expect(await scan(MESSAGE)).toBe(0);
});

test('messages beyond the concurrency limit are judged without rspamd', async () => {
  rspamd.says = 'hang';
  const { scan } = scanner({ timeLimitMs: 200 });
  const all = await Promise.all(Array.from({ length: 40 }, () => scan(MESSAGE)));
  expect(all.every(points => points === null)).toBe(true);
  expect(rspamd.scans).toHaveLength(16);
});
