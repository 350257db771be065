/** STARTTLS: the certificate, a message over TLS, and commands sent before it. */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { connectSmtp, deliver } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCertificate } from '../src/features/support/certificates/index.ts';
import {
  addReader,
  type InboundTest,
  readMails,
  startInboundTest,
  type TestReader,
} from './harness/inbound.ts';

let inbound: InboundTest;
let bob: TestReader;
beforeAll(async () => {
  inbound = await startInboundTest();
  bob = await addReader(inbound.deps.db, ['bob@keyfold.test']);
});
afterAll(() => inbound.close());

test('a message arrives over TLS with the certificate of this server', async () => {
  const client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  await client.command('EHLO sender.test');
  expect(await client.command('STARTTLS now')).toMatch(/^501/);
  expect(await client.command('STARTTLS')).toMatch(/^220/);
  const socket = await client.secure();
  expect(socket.getProtocol()).toBe('TLSv1.3');
  expect(socket.getPeerX509Certificate()?.checkHost('mail.keyfold.test')).toBe('mail.keyfold.test');
  // State from before TLS is discarded (RFC 3207 §4.2).
  expect(await client.command('MAIL FROM:<al@sender.test>')).toMatch(/^503/);
  expect(await client.command('EHLO sender.test')).not.toContain('STARTTLS');
  const raw = 'Subject: under TLS\r\n\r\nHello\r\n';
  expect(await deliver(client, { from: 'al@sender.test', to: ['bob@keyfold.test'], raw })).toMatch(/^250/);
  client.destroy();
  expect((await readMails(inbound, bob)).map(mail => mail.summary.subject)).toContain('under TLS');
});

test('commands sent along with STARTTLS are dropped and not run under TLS', async () => {
  const client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  await client.command('EHLO sender.test');
  client.send('STARTTLS\r\nEHLO injected.test\r\nMAIL FROM:<injected@sender.test>\r\n');
  expect(await client.reply()).toMatch(/^220/);
  await client.secure();
  // The injected EHLO and sender are discarded, and no replies to them are pending.
  expect(await client.command('MAIL FROM:<al@sender.test>')).toMatch(/^503/);
  expect(await client.command('EHLO sender.test')).toMatch(/^250/);
  expect(await client.command('MAIL FROM:<al@sender.test>')).toMatch(/^250/);
  expect(client.pending()).toBe('');
  client.destroy();
});

test('an invalid handshake ends only its own connection', async () => {
  const client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  await client.command('EHLO sender.test');
  await client.command('STARTTLS');
  client.send('MAIL FROM:<al@sender.test>\r\n'.repeat(50));
  await client.ended;
  const next = await connectSmtp(inbound.smtp.port);
  expect(await next.reply()).toMatch(/^220/);
  next.destroy();
});

test('the certificate file is private, reused, and renewed before it expires', async () => {
  const file = path.join(inbound.dataDir, 'keys', 'smtp-tls.pem');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const kept = readFileSync(file, 'utf8');
  const { config } = inbound.deps;
  const again = await loadCertificate(inbound.deps, config.hostname);
  expect(again.key + again.cert).toBe(kept);
  const ends = new Date(new X509Certificate(again.cert).validTo);
  const near = { now: () => new Date(ends.getTime() - 20 * 24 * 3600 * 1000) };
  const renewed = await loadCertificate({ ...inbound.deps, clock: near }, config.hostname);
  expect(renewed.cert).not.toBe(again.cert);
  expect(new Date(new X509Certificate(renewed.cert).validTo).getTime()).toBeGreaterThan(ends.getTime());
  // The stored certificate cannot be used under another name.
  const other = { ...config, hostname: 'mx.other.test' };
  const renamed = await loadCertificate({ ...inbound.deps, config: other, clock: near }, 'mx.other.test');
  expect(new X509Certificate(renamed.cert).checkHost('mx.other.test')).toBe('mx.other.test');
  // The web client may have another name, whose certificate leaves this one alone.
  const ofWeb = await loadCertificate({ ...inbound.deps, config: other }, 'webmail.other.test');
  expect(new X509Certificate(ofWeb.cert).checkHost('webmail.other.test')).toBe('webmail.other.test');
  const still = await loadCertificate({ ...inbound.deps, config: other, clock: near }, 'mx.other.test');
  expect(still.cert).toBe(renamed.cert);
});
