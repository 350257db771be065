// The operator's STARTTLS certificate is replaced under a running server, as certbot and Kubernetes
// do it.
import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connectSmtp, deliver, type SmtpClient } from '@keyfold/testing/smtp';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMetrics } from '../src/base/metrics.ts';
import { makeAuthority, type TestAuthority, type TestCertificate } from './harness/certificates.ts';
import { addReader, type InboundTest, startInboundTest } from './harness/inbound.ts';

const NAME = 'mail.keyfold.test';
const LOOK_MS = 25;
const DAY_MS = 86_400_000;

let folder: string;
let inbound: InboundTest;
let authority: TestAuthority;
let lines: string[];
let current: TestCertificate;

const issue = (days = 90): Promise<TestCertificate> =>
  authority.issue(NAME, { notAfterDate: new Date(Date.now() + days * DAY_MS) });

/** Writes a generation of both files, as cert-manager and certbot store them. */
function writeGeneration(name: string, { cert, key }: Pick<TestCertificate, 'cert' | 'key'>): void {
  mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, name, 'tls.crt'), cert);
  writeFileSync(path.join(folder, name, 'tls.key'), key);
}

/** Atomically points the name of both files to another generation. */
function pointTo(name: string): void {
  symlinkSync(name, path.join(folder, 'draft'));
  renameSync(path.join(folder, 'draft'), path.join(folder, 'live'));
}

let generations = 0;
function replaceBoth(pair: Pick<TestCertificate, 'cert' | 'key'>): void {
  writeGeneration(`g${++generations}`, pair);
  pointTo(`g${generations}`);
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'kf-cert-'));
  authority = await makeAuthority('Authority of a test');
  current = await issue();
  replaceBoth(current);
  lines = [];
  inbound = await startInboundTest({
    env: {
      TLS_CERT_FILE: path.join(folder, 'live/tls.crt'),
      TLS_KEY_FILE: path.join(folder, 'live/tls.key'),
    },
    deps: { logger: pino({ level: 'info' }, { write: line => lines.push(line) }) },
    certificateLookMs: LOOK_MS,
  });
  await addReader(inbound.deps.db, ['bob@keyfold.test']);
});
beforeEach(() => lines.splice(0));
afterAll(async () => {
  await inbound.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a session with TLS. */
async function secured(): Promise<{ client: SmtpClient; cert: X509Certificate }> {
  const client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  await client.command('EHLO sender.test');
  await client.command('STARTTLS');
  const socket = await client.secure();
  const cert = socket.getPeerX509Certificate() ?? expect.fail('no certificate was shown');
  await client.command('EHLO sender.test');
  return { client, cert };
}

async function shown(): Promise<string> {
  const { client, cert } = await secured();
  client.destroy();
  return cert.fingerprint256;
}
const printOf = ({ cert }: Pick<TestCertificate, 'cert'>): string => new X509Certificate(cert).fingerprint256;
const said = (text: string): string[] => lines.filter(line => line.includes(text));
const forManyLooks = () => new Promise(resolve => setTimeout(resolve, 12 * LOOK_MS));

test('a replaced key pair is used for new sessions, and existing sessions continue', async () => {
  expect(await shown()).toBe(printOf(current));
  const { client } = await secured();
  const next = await issue(200);
  replaceBoth(next);
  await expect.poll(shown).toBe(printOf(next));
  const raw = 'Subject: across a renewal\r\n\r\nHello\r\n';
  expect(await deliver(client, { from: 'al@sender.test', to: ['bob@keyfold.test'], raw })).toMatch(/^250/);
  client.destroy();
  expect(said('STARTTLS certificate replaced')).toHaveLength(1);
  const { text } = await readMetrics();
  const [, seconds] = /^keyfold_smtp_certificate_expires_timestamp_seconds (\d+)$/m.exec(text) ?? [];
  expect(Number(seconds) * 1000).toBe(new Date(new X509Certificate(next.cert).validTo).getTime());
  current = next;
});

test('a certificate without its key keeps the previous pair until the key arrives', async () => {
  const next = await issue();
  writeFileSync(path.join(folder, 'live/tls.crt'), next.cert);
  await expect.poll(() => said('new STARTTLS certificate unusable')).toHaveLength(1);
  await forManyLooks();
  expect(await shown()).toBe(printOf(current));
  // Logged once, however many checks there are.
  expect(said('new STARTTLS certificate unusable')).toHaveLength(1);
  expect(lines.join('')).toContain('TLS_KEY_FILE: does not match the certificate in TLS_CERT_FILE');
  writeFileSync(path.join(folder, 'live/tls.key'), next.key);
  await expect.poll(shown).toBe(printOf(next));
  for (const text of lines) expect(text).not.toContain(next.key.split('\n')[1]);
  current = next;
});

test.each<[string, (next: TestCertificate) => void]>([
  ['that ends within its chain', ({ cert, key }) => replaceBoth({ cert: cert.slice(0, -60), key })],
  ['whose key is half there', ({ cert, key }) => replaceBoth({ cert, key: key.slice(0, 90) })],
  ['that is empty', () => replaceBoth({ cert: '', key: '' })],
  ['that is gone', () => rmSync(path.join(folder, 'live'))],
])('a pair %s keeps the previous pair in use until a valid one arrives', async (_what, spoil) => {
  spoil(await issue());
  await expect.poll(() => said('new STARTTLS certificate unusable')).toHaveLength(1);
  expect(await shown()).toBe(printOf(current));
  current = await issue();
  replaceBoth(current);
  await expect.poll(shown).toBe(printOf(current));
});

test('a certificate that expires soon is used and logged', async () => {
  current = await issue(3);
  replaceBoth(current);
  await expect.poll(shown).toBe(printOf(current));
  await expect.poll(() => said('STARTTLS certificate expires soon')).toHaveLength(1);
  await forManyLooks();
  expect(said('STARTTLS certificate expires soon')).toHaveLength(1);
});
