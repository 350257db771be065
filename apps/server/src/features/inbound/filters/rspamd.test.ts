import { deliver, type SmtpClient } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import type { TestDns } from '../../../../tests/harness/dns.ts';
import { rspamdAnswer, startTestRspamd, type TestRspamd } from '../../../../tests/harness/rspamd.ts';
import { greetSmtp, startSendersDns } from '../../../../tests/harness/senders.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { createDns } from '../../../adapters/dns.ts';
import { scoreOutgoing } from './outgoing.ts';

let app: TestApp;
let dns: TestDns;
let rspamd: TestRspamd;
let smtp: SmtpClient;
let ann: TestUser;
let bob: TestUser;

beforeAll(async () => {
  dns = await startSendersDns({
    'quarantined.example': { TXT: ['v=spf1 -all'] },
    '_dmarc.quarantined.example': { TXT: ['v=DMARC1; p=quarantine'] },
  });
  rspamd = await startTestRspamd();
  app = await startTestApp({
    roles: ['http', 'smtp'],
    dns: createDns([dns.server]),
    config: { rspamdUrl: rspamd.url },
  });
  smtp = await greetSmtp(app.app.smtpPort);
});
beforeEach(async () => {
  ann = await registerTestUser(app);
  bob = await registerTestUser(app);
  await filter('medium', false, bob);
  rspamd.scans.length = 0;
});
afterAll(async () => {
  smtp.destroy();
  await app.close();
  await rspamd.close();
  await dns.close();
});

let sent = 0;
/**
 * Sends a message to both users. Returns whether it arrives flagged for Ann and how long the
 * acknowledgement took.
 */
async function arrive(from = 'zoe@good.example') {
  const startedAt = performance.now();
  const reply = await deliver(smtp, {
    from,
    to: [ann.email, bob.email],
    raw: Buffer.from(
      `From: ${from}\r\nTo: ${ann.email}\r\nSubject: Canary subject\r\nMessage-ID: <${++sent}@good.example>\r\n\r\nText\r\n`,
    ),
  });
  expect(reply).toMatch(/^250/);
  const tookMs = performance.now() - startedAt;
  const [mail] = (await ann.client.mail.query({ count: 1, view: 'summary' })).data;
  const [copy] = (await bob.client.mail.query({ count: 1, view: 'summary' })).data;
  // Bob's filter is off, but mail that its domain disowns still stays out of the inbox.
  expect(copy?.flagged).toBe(!from.endsWith('@good.example'));
  return { isFlagged: mail?.flagged, tookMs };
}

const filter = (sensitivity: 'low' | 'medium' | 'high', enabled = true, { client } = ann) =>
  client.security.save_settings({
    spam_filters: { enabled, sensitivity, custom_rules: [] },
    whitelist: [],
    blacklist: [],
  });

test('rspamd scans a message once, and only when a recipient’s filter is on', async () => {
  await filter('medium', false);
  await arrive();
  expect(rspamd.scans).toHaveLength(0);
  await filter('medium');
  await arrive();
  expect(rspamd.scans).toHaveLength(1);
  const [scan] = rspamd.scans;
  expect(scan?.url).toBe('/checkv2');
  expect(scan?.headers).toMatchObject({ ip: '127.0.0.1', helo: 'out.example', from: 'zoe@good.example' });
  expect(scan?.body.toString()).toContain('Canary subject');
  expect(JSON.stringify(scan?.headers)).not.toContain('keyfold.test>');
});

test('rspamd does not scan outgoing mail unless the operator enables it', async () => {
  const { clock, config, spamScanner } = app.deps;
  const message = Buffer.from(`From: ${ann.email}\r\nTo: x@out.example\r\n\r\nText\r\n`);
  const score = (isOutgoingScanned: boolean) =>
    scoreOutgoing({ clock, spamScanner, config: { ...config, isOutgoingScanned } }, message, ann.email);
  rspamd.says = { json: rspamdAnswer(14) };
  expect(config.isOutgoingScanned).toBe(false);
  expect(await score(false)).toBeLessThan(5);
  expect(rspamd.scans).toHaveLength(0);
  expect(await score(true)).toBe(14);
  expect(rspamd.scans).toHaveLength(1);
});

test('the rspamd score is compared with the recipient’s sensitivity', async () => {
  const at = async (sensitivity: 'low' | 'medium' | 'high', points: number) => {
    await filter(sensitivity);
    rspamd.says = { json: rspamdAnswer(points) };
    return (await arrive()).isFlagged;
  };
  expect(await at('medium', 5.9)).toBe(false);
  expect(await at('high', 5.9)).toBe(true);
  expect(await at('medium', 6)).toBe(true);
  expect(await at('low', 9.9)).toBe(false);
  expect(await at('low', 10)).toBe(true);
  // Mail that its domain disowns is flagged whatever rspamd's score is.
  rspamd.says = { json: rspamdAnswer(-5) };
  expect((await arrive('boss@strict.example')).isFlagged).toBe(true);
});

test('no mail is lost or delayed long when rspamd hangs, fails or is unavailable', async () => {
  await filter('low');
  rspamd.says = { text: 'nonsense' };
  expect((await arrive()).isFlagged).toBe(false);
  // Falls back to our own scorer: this sender fails DMARC of a domain that asks for quarantine.
  expect((await arrive('boss@quarantined.example')).isFlagged).toBe(true);
  rspamd.says = 'hang';
  const { isFlagged, tookMs } = await arrive('boss@quarantined.example');
  expect(isFlagged).toBe(true);
  expect(tookMs).toBeLessThan(8_000);
  // That was the third consecutive failure: from now on no message waits.
  for (let turn = 0; turn < 3; turn++) expect((await arrive()).tookMs).toBeLessThan(2_000);
  expect(rspamd.scans).toHaveLength(3);
});
