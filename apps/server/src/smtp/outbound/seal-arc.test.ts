import { generateKeyPairSync } from 'node:crypto';
import { verifyArc } from '@keyfold/testing/arc-verifier';
import { verifyDkim } from '@keyfold/testing/dkim-verifier';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDns, type TestDns } from '../../../tests/harness/dns.ts';
import { createDns, type Dns } from '../../adapters/dns.ts';
import type { SigningKey } from '../../features/outbound/delivery/index.ts';
import { authenticateMessage } from '../auth/authenticate.ts';
import { sealArc } from './seal-arc.ts';
import { signMessage } from './sign.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const keyOf = (domain: string): SigningKey => ({
  domain,
  selector: 's1',
  privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
});
const findKey = (name: string) => (name.startsWith('s1._domainkey.') ? record : null);

let server: TestDns;
let dns: Dns;
beforeAll(async () => {
  server = await startTestDns({
    'author.test': { TXT: ['v=spf1 ip4:192.0.2.7 -all'] },
    '_dmarc.author.test': { TXT: ['v=DMARC1; p=reject'] },
    ...Object.fromEntries(
      ['author.test', 'one.test', 'two.test'].map(name => [`s1._domainkey.${name}`, { TXT: [record] }]),
    ),
  });
  dns = createDns([server.server]);
});
afterAll(() => server.close());

const MESSAGE = Buffer.from(
  'From: Al <al@author.test>\r\nTo: abuse@one.test\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n folded\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@author.test>\r\nX-Odd:  two  blanks \r\n\r\nHello  Bob \r\n\r\n.dots\r\n\r\n\r\n',
);
const signed = async () => Buffer.concat([await signMessage(MESSAGE, keyOf('author.test')), MESSAGE]);
const check = (raw: Buffer, hostname: string, clientIp = '192.0.2.7') =>
  authenticateMessage(dns, hostname, { raw, clientIp, helo: 'mx', envelopeFrom: 'al@author.test' });
/** Seals the message as one of our servers does. */
const pass = async (raw: Buffer, domain: string, clientIp?: string) =>
  Buffer.concat([await sealArc(raw, await check(raw, `mx.${domain}`, clientIp), keyOf(domain)), raw]);

test('a sealed message verifies with the library and with an independent implementation', async () => {
  const original = await signed();
  const once = await pass(original, 'one.test');
  expect(once.subarray(-original.length)).toEqual(original);
  const found = verifyArc(once, findKey);
  expect(found).toMatchObject({ isValid: true, sets: 1, domain: 'one.test' });
  expect(found).toMatchObject({
    results:
      'arc-authentication-results:i=1; mx.one.test; dkim=pass header.d=author.test header.s=s1; spf=pass smtp.mailfrom=author.test; dmarc=pass (p=reject) header.from=author.test',
  });
  expect(await check(once, 'mx.end.test', '198.51.100.1')).toMatchObject({
    arc: 'pass',
    dkim: 'pass',
    spf: 'fail',
    dmarc: 'pass',
  });
  expect(verifyDkim(once, findKey)).toMatchObject({ isValid: true, domain: 'author.test' });
});

test('a chain grows by one set at each server', async () => {
  const twice = await pass(await pass(await signed(), 'one.test'), 'two.test', '198.51.100.1');
  expect(verifyArc(twice, findKey)).toMatchObject({ isValid: true, sets: 2, domain: 'two.test' });
  expect((await check(twice, 'mx.end.test')).arc).toBe('pass');
  expect(twice.toString()).toMatch(/ARC-Seal: i=2;[\s\S]*?cv=pass/);
  // Our results include the verdict of the previous server.
  expect(twice.toString()).toMatch(/ARC-Authentication-Results: i=2; mx\.two\.test;[\s\S]*?arc=pass/);
});

test('changes to a sealed message are detected', async () => {
  const once = (await pass(await signed(), 'one.test')).toString('latin1');
  for (const changed of [
    once.replace('Hello  Bob', 'Hello  Eve'),
    once.replace('Subject: ', 'Subject: Re: '),
    once.replace('spf=pass', 'spf=fail'),
  ]) {
    const bytes = Buffer.from(changed, 'latin1');
    expect(verifyArc(bytes, findKey).isValid).toBe(false);
    expect((await check(bytes, 'mx.end.test')).arc).toBe('fail');
  }
});

test('a broken chain is sealed as failed, once', async () => {
  const broken = Buffer.from(
    (await pass(await signed(), 'one.test')).toString('latin1').replace('Hello  Bob', 'Hello  Eve'),
    'latin1',
  );
  const twice = await pass(broken, 'two.test');
  expect(twice.toString()).toMatch(/ARC-Seal: i=2;[\s\S]*?cv=fail/);
  expect((await check(twice, 'mx.end.test')).arc).toBe('fail');
  expect(await pass(twice, 'two.test')).toEqual(twice);
});

test('a message that was not checked completely is not sealed', async () => {
  const once = await pass(await signed(), 'one.test');
  const verdicts = await check(once, 'mx.two.test');
  const seal = (changed: object) => sealArc(once, { ...verdicts, ...changed }, keyOf('two.test'));
  expect((await seal({})).length).toBeGreaterThan(0);
  expect(await seal({ isWhole: false })).toHaveLength(0);
  expect(await seal({ arc: 'temperror' })).toHaveLength(0);
  // The message has a chain, whatever the verdict says.
  expect(await seal({ arc: 'none' })).toHaveLength(0);
});

test('a message gets fifty sets at most', async () => {
  let raw = MESSAGE;
  const verdicts = { arc: 'pass', isWhole: true, results: 'mx.one.test; none' } as const;
  for (let sets = 0; sets < 50; sets++) {
    const set = await sealArc(raw, sets === 0 ? { ...verdicts, arc: 'none' } : verdicts, keyOf('one.test'));
    raw = Buffer.concat([set, raw]);
  }
  expect(verifyArc(raw, findKey)).toMatchObject({ isValid: true, sets: 50 });
  expect(await sealArc(raw, verdicts, keyOf('one.test'))).toHaveLength(0);
  // A chain with more sets than we check is not reported as broken.
  expect(await check(raw, 'mx.end.test')).toMatchObject({ isWhole: false });
});
