import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeCertificate } from '@keyfold/testing/certificate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from './config.ts';

let folder: string;
let first: { readonly key: string; readonly cert: string };
let second: typeof first;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'kf-pair-'));
  [first, second] = await Promise.all([
    makeCertificate(['mail.example.org']),
    makeCertificate(['mail.example.org']),
  ]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function files(cert: string, key: string) {
  const pair = { TLS_CERT_FILE: path.join(folder, 'cert.pem'), TLS_KEY_FILE: path.join(folder, 'key.pem') };
  writeFileSync(pair.TLS_CERT_FILE, cert);
  writeFileSync(pair.TLS_KEY_FILE, key);
  return pair;
}
function problemOf(env: Readonly<Record<string, string>>): string {
  try {
    readConfig(env);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}

test('a certificate pair is accepted with a chain, other text and parameters in its files', () => {
  expect(problemOf(files(first.cert, first.key))).toBe('accepted');
  const chain = `subject=CN = mail.example.org\n${first.cert}\nissuer\n${second.cert}\n`;
  expect(problemOf(files(chain, `${first.key}\n`))).toBe('accepted');
  const together = `${first.key}\n${first.cert}`;
  expect(problemOf(files(together, together))).toBe('accepted');
});

test('an invalid pair stops the start with one line that reveals none of its content', () => {
  const CERT = 'TLS_CERT_FILE: must contain a complete PEM certificate, followed by those of its issuers';
  const KEY = 'TLS_KEY_FILE: must contain a complete PEM private key without a passphrase';
  expect(problemOf(files(first.cert, second.key))).toBe(
    'TLS_KEY_FILE: does not match the certificate in TLS_CERT_FILE',
  );
  for (const cert of [
    '',
    'hello',
    first.key,
    first.cert.slice(0, -30),
    `${first.cert}\n${second.cert.slice(0, 99)}`,
  ])
    expect(problemOf(files(cert, first.key))).toBe(CERT);
  expect(problemOf(files(first.cert.replace(/M[A-Z]/g, 'AA'), first.key))).toBe(CERT);
  for (const key of ['', 'hello', first.cert, first.key.slice(0, -60)])
    expect(problemOf(files(first.cert, key))).toBe(KEY);
  expect(problemOf({ ...files(first.cert, first.key), TLS_KEY_FILE: folder })).toBe(
    'TLS_KEY_FILE: cannot read the file (EISDIR)',
  );
});

test('MTA-STS defaults to testing with an operator’s certificate, and enforce requires one for the mail server', async () => {
  const pair = files(first.cert, first.key);
  const modeOf = (env: Readonly<Record<string, string>>) => readConfig(env).mtaSts;
  expect(modeOf(pair)).toBe('testing');
  expect(modeOf({})).toBe('none');
  expect(modeOf({ ...pair, KEYFOLD_MTA_STS: 'testing' })).toBe('testing');
  expect(modeOf({ KEYFOLD_MTA_STS: 'enforce', KEYFOLD_ROLES: 'http,worker' })).toBe('enforce');
  expect(modeOf({ KEYFOLD_MTA_STS: 'enforce', KEYFOLD_MX_NAMES: 'gateway.example.org' })).toBe('enforce');
  expect(problemOf({ KEYFOLD_MTA_STS: 'enforce' })).toMatch(
    /^KEYFOLD_MTA_STS: enforce requires TLS_CERT_FILE /,
  );
  const named = await makeCertificate(['mail.named.test']);
  const enforced = { ...files(named.cert, named.key), KEYFOLD_MTA_STS: 'enforce' };
  expect(modeOf({ ...enforced, KEYFOLD_HOSTNAME: 'mail.named.test' })).toBe('enforce');
  expect(problemOf({ ...enforced, KEYFOLD_HOSTNAME: 'mail.other.test' })).toMatch(
    /^KEYFOLD_MTA_STS: enforce requires a certificate for mail\.other\.test in TLS_CERT_FILE,/,
  );
  expect(modeOf({ ...enforced, KEYFOLD_HOSTNAME: 'mail.other.test', KEYFOLD_ROLES: 'http' })).toBe('enforce');
  expect(problemOf({ KEYFOLD_MTA_STS: 'on' })).toBe('KEYFOLD_MTA_STS: must be one of none, testing, enforce');
});

test('mail server names are normalized and deduplicated, and invalid ones are refused', () => {
  const namesOf = (text: string) => readConfig({ KEYFOLD_MX_NAMES: text }).mxNames;
  expect(namesOf(' MX1.example.org, mx2.example.org,mx1.example.org')).toEqual([
    'mx1.example.org',
    'mx2.example.org',
  ]);
  expect(readConfig({ KEYFOLD_MX_NAMES: '' }).mxNames).toEqual(['mail.keyfold.test']);
  for (const text of ['mx', ',', '*.example.org', 'mx1.example.org;mx2', '10 mx1.example.org'])
    expect(problemOf({ KEYFOLD_MX_NAMES: text })).toBe(
      'KEYFOLD_MX_NAMES: must be a comma list of host names',
    );
});
