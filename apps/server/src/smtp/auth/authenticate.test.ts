import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDns, type TestDns } from '../../../tests/harness/dns.ts';
import { createDns, type Dns } from '../../adapters/dns.ts';
import { type Authentication, authenticateMessage } from './authenticate.ts';

const US = 'mail.keyfold.test';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keyRecord = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;

let server: TestDns;
let dns: Dns;
beforeAll(async () => {
  server = await startTestDns({
    'sender.test': { TXT: ['v=spf1 ip4:192.0.2.7 -all'] },
    's1._domainkey.sender.test': { TXT: [keyRecord] },
    '_dmarc.sender.test': { TXT: ['v=DMARC1; p=reject'] },
    's1._domainkey.other.test': { TXT: [keyRecord] },
    'plain.test': { A: ['192.0.2.9'] },
    'broken.test': { TXT: [] },
    '_dmarc.broken.test': { TXT: [] },
  });
  server.failing.add('broken.test').add('_dmarc.broken.test');
  dns = createDns([server.server]);
});
afterAll(() => server.close());

const message = (from = 'Al <al@sender.test>', extra = ''): string =>
  `${extra}From: ${from}\r\nTo: bob@keyfold.test\r\nSubject: Hi\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@sender.test>\r\n\r\nHello Bob\r\n`;

async function sign(raw: string, domain = 'sender.test', more: object = {}): Promise<string> {
  const signer = {
    signingDomain: domain,
    selector: 's1',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  const { signatures } = await dkimSign(Buffer.from(raw), {
    ...signer,
    canonicalization: 'relaxed/relaxed',
    signatureData: [
      {
        ...signer,
        ...more,
      },
    ],
  });
  return signatures + raw;
}

const check = (raw: string, more: { clientIp?: string; envelopeFrom?: string; helo?: string } = {}) =>
  authenticateMessage(dns, US, {
    raw: Buffer.from(raw),
    clientIp: '192.0.2.7',
    helo: 'mx.sender.test',
    envelopeFrom: 'al@sender.test',
    ...more,
  });
const words = ({ spf, dkim, dmarc }: Authentication) => `${spf} ${dkim} ${dmarc}`;

test('a signed message from an authorized host passes all checks', async () => {
  const verdict = await check(await sign(message()));
  expect(words(verdict)).toBe('pass pass pass');
  expect(verdict.dmarcPolicy).toBe('reject');
  expect(verdict.provedDomain).toBe('sender.test');
  expect(verdict.results).toBe(
    `${US}; dkim=pass header.d=sender.test header.s=s1; spf=pass smtp.mailfrom=sender.test; dmarc=pass (p=reject) header.from=sender.test`,
  );
});

test('a changed body or an unauthorized host fails', async () => {
  const signed = await sign(message());
  expect(words(await check(signed.replace('Hello Bob', 'Hello Eve'), { clientIp: '198.51.100.1' }))).toMatch(
    /^fail (fail|neutral) fail$/,
  );
  expect(words(await check(signed.replace('Subject: Hi', 'Subject: Ho')))).toMatch(/^pass fail pass$/);
  const strange = await check(message(), { clientIp: '198.51.100.1' });
  expect(words(strange)).toBe('fail none fail');
  expect(strange.provedDomain).toBeNull();
});

test('a signature of another domain does not align with the author', async () => {
  const verdict = await check(await sign(message(), 'other.test'), { clientIp: '198.51.100.1' });
  expect(words(verdict)).toBe('fail pass fail');
  expect(verdict.provedDomain).toBe('other.test');
});

describe('the one-click unsubscribe address', () => {
  const list = 'List-Unsubscribe: <https://list.test/u?id=1>, <mailto:leave@list.test>\r\n';
  const post = 'List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n';
  const covering = (fields: string) => ({ headerList: `from:subject:${fields}` });
  const both = covering('list-unsubscribe:list-unsubscribe-post');
  const oneClick = async (raw: string) => (await check(raw)).oneClick;
  const mail = message(undefined, list + post);

  test('requires a valid signature that covers both fields', async () => {
    expect(await oneClick(await sign(mail, 'sender.test', both))).toBe('https://list.test/u?id=1');
    expect(await oneClick(await sign(mail, 'other.test', both))).toBe('https://list.test/u?id=1');
    for (const fields of ['to', 'list-unsubscribe', 'list-unsubscribe-post'])
      expect(await oneClick(await sign(mail, 'sender.test', covering(fields))), fields).toBeNull();
    expect(await oneClick(mail)).toBeNull();
    const signed = await sign(mail, 'sender.test', both);
    expect(await oneClick(signed.replace('id=1', 'id=2'))).toBeNull();
    expect(await oneClick(signed.replace('Hello Bob', 'Hello Eve'))).toBeNull();
    expect(await oneClick(await sign(message(undefined, list), 'sender.test', both))).toBeNull();
  });

  test('is taken only from signed fields, not from ones added above or below them', async () => {
    const signed = await sign(mail, 'sender.test', both);
    const foreign = 'List-Unsubscribe: <https://evil.test/>\r\n';
    expect(await oneClick(foreign + signed)).toBe('https://list.test/u?id=1');
    expect(await oneClick(signed.replace('\r\n\r\n', `\r\n${foreign}\r\n`))).toBeNull();
    expect(
      await oneClick(
        await sign(
          message(undefined, foreign + list + post),
          'sender.test',
          covering('list-unsubscribe:list-unsubscribe:list-unsubscribe-post'),
        ),
      ),
    ).toBeNull();
  });
});

test('text below the signed part of a body invalidates the signature', async () => {
  const raw = await sign(message(), 'sender.test', { maxBodyLength: 9 });
  const verdict = await check(`${raw}\r\nsend money to\r\n`, { clientIp: '198.51.100.1' });
  expect(verdict.dkim).not.toBe('pass');
  expect(verdict.dmarc).toBe('fail');
});

test('a message with several authors or none never passes', async () => {
  const two = message('al@sender.test, ceo@bank.test');
  expect((await check(await sign(two))).dmarc).toBe('permerror');
  expect((await check(message().replace('From:', 'X-From:'))).dmarc).toBe('permerror');
  const doubled = message('al@sender.test', 'From: ceo@bank.test\r\n');
  expect((await check(doubled)).dmarc).not.toBe('pass');
});

test.each([
  'From: <ceo@bank.test <al@sender.test>',
  'From: al@sender.test ceo@bank.test',
  'Subject: x\r\n\ufeffFrom: ceo@bank.test\r\nFrom: al@sender.test, ceo@bank.test',
  ' From: ceo@bank.test\r\nFrom: al@sender.test',
  'From : ceo@bank.test\r\nFrom: al@sender.test',
  'From: ceo@bank.test:al@sender.test',
])('a From that clients could display differently is a permerror: %#', async from => {
  const { dmarc } = await check(`${from}\r\nTo: bob@keyfold.test\r\n\r\nHello\r\n`);
  expect(dmarc).toBe('permerror');
});

const signature =
  'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=sender.test; s=s1; h=from; bh=A; b=A\r\n';
test.each([
  `Subject: a${' '.repeat(500_000)}b`,
  `Subject: a${'\r\n x'.repeat(150_000)}`,
  'a:b\r\n '.repeat(100_000).trimEnd(),
  `${signature.replace('h=from', `h=from${' '.repeat(500_000)}`).trimEnd()}`,
  `${signature.replace('h=from', `h=${'from:'.repeat(100_000)}from`)}${'From: x\r\n'.repeat(20_000)}To: y`,
  `${signature}\r\n${'x'.repeat(20_000_000)}`,
])('a message built to exhaust the checks is handled in bounded time: %#', async extra => {
  const startedAt = performance.now();
  const verdict = await check(`From: al@sender.test\r\n${extra}\r\n\r\nHello\r\n`);
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(verdict.dkim).not.toBe('pass');
});

test('a domain without records gets the verdict none', async () => {
  const verdict = await check(message('a@plain.test'), { envelopeFrom: 'a@plain.test', helo: 'plain.test' });
  expect(words(verdict)).toBe('none none none');
});

test('SPF checks a bounce as postmaster at the HELO name (RFC 7208 2.4)', async () => {
  const verdict = await check(message(), { envelopeFrom: '', helo: 'sender.test' });
  expect(verdict.results).toContain('spf=pass smtp.mailfrom=sender.test');
});

test('a DNS failure is a temporary error, neither a verdict nor a crash', async () => {
  const verdict = await check(message('a@broken.test'), { envelopeFrom: 'a@broken.test' });
  expect(words(verdict)).toBe('temperror none temperror');
  const dead = createDns(['127.0.0.1:1']);
  const arrival = {
    raw: Buffer.from(await sign(message())),
    clientIp: '192.0.2.7',
    helo: 'x',
    envelopeFrom: 'a@sender.test',
  };
  expect(words(await authenticateMessage(dead, US, arrival))).toMatch(
    /^temperror (temperror|neutral) temperror$/,
  );
});

test('a DNS server that never answers leads to a timeout', async () => {
  const never: Dns = { resolve: () => new Promise(() => undefined) };
  const arrival = {
    raw: Buffer.from(message()),
    clientIp: '192.0.2.7',
    helo: 'x',
    envelopeFrom: 'a@sender.test',
  };
  expect(words(await authenticateMessage(never, US, arrival, 50))).toBe('temperror temperror temperror');
});

test('text from the sender never becomes part of our results', async () => {
  const forged = message(
    '"x; dmarc=pass" <al@sender.test>',
    `Authentication-Results: ${US}; dmarc=pass header.from=bank.test\r\n`,
  );
  const verdict = await check(forged, {
    clientIp: '198.51.100.1',
    envelopeFrom: '"a; dkim=pass header.d=bank.test"@sender.test',
    helo: 'x;dmarc=pass',
  });
  expect(verdict.results).not.toMatch(/pass|bank/);
});

test('at most ten of a thousand signatures are checked', async () => {
  const raw = await sign(message());
  const signature = raw.slice(0, raw.indexOf('From:'));
  const many = Array.from({ length: 1000 }, (_, n) => signature.replace('s=s1', `s=s${n}x`)).join('');
  server.asked.length = 0;
  await check(many + message());
  expect(server.asked.filter(question => question.includes('_domainkey'))).toHaveLength(10);
});

test('a large message is not hashed for each of its signatures', async () => {
  const partial = Array.from({ length: 10 }, (_, n) =>
    signature.replace('s=s1', `s=s${n}y; l=${1000 + n}`),
  ).join('');
  const small = await check(`${partial}${message()}`);
  const large = await check(`${partial}${message()}${'some words\r\n'.repeat(2_500_000)}`);
  const looked = [small, large].map(({ results }) => results.match(/dkim=/g)?.length);
  expect(looked).toEqual([10, 2]);
});

test.each([
  '',
  '\r\n',
  'x',
  '\0\0\0',
  'From: \r\n\r\n',
  `From: ${'<'.repeat(5000)}\r\n\r\n`,
  'DKIM-Signature: =;;=\r\n\r\n',
])('no malformed input makes the check throw: %#', async raw => {
  expect(
    (await check(raw, { helo: '', envelopeFrom: 'not an address', clientIp: 'nonsense' })).results,
  ).toMatch(new RegExp(`^${US}; `));
});

const fixtures = path.resolve(import.meta.dirname, '../../../../../../shared/data/auth/mailauth');
type ArcSuite = {
  description: string;
  tests: Record<string, { message: string; cv: string }>;
  'txt-records': Record<string, string>;
}[];

// mailauth tolerates syntax errors in an ARC-Seal that RFC 8617 does not, and rejects one signature
// over no field at all. ARC is displayed and decides nothing here.
const ARC_DIFFERENCES = [
  'ams_fields_h_empty: fail instead of Pass',
  'as_format_inv_tag_key: pass instead of Fail',
  'as_format_tags_dup: pass instead of Fail',
  'as_format_tags_key_case: pass instead of Fail',
  'as_format_tags_sc: pass instead of Fail',
];

describe.skipIf(!existsSync(fixtures))('published cases in ../shared/data/auth (skipped when absent)', () => {
  test('RFC 8463: a message with an Ed25519 and an RSA signature', async () => {
    const records = JSON.parse(readFileSync(path.join(fixtures, 'dkim-ec/dns.json'), 'utf8')) as Record<
      string,
      { TXT?: string[][] }
    >;
    for (const [name, { TXT }] of Object.entries(records))
      if (TXT) server.zone[name] = { TXT: TXT.map(pieces => pieces.join('')) };
    const raw = readFileSync(path.join(fixtures, 'dkim-ec/signed.eml'), 'latin1').replace(/\r?\n/g, '\r\n');
    const { results } = await check(raw.replace(/^[\s\S]*?(?=DKIM-Signature)/, ''));
    expect(results).toContain('dkim=pass header.d=football.example.com header.s=brisbane');
    expect(results).toContain('dkim=pass header.d=football.example.com header.s=test');
  });

  test('the validation tests of the ARC test suite', async () => {
    const file = path.join(fixtures, 'fixtures/arc/arc-draft-validation-tests.json');
    const suite = JSON.parse(readFileSync(file, 'utf8')) as ArcSuite;
    const wrong: string[] = [];
    let count = 0;
    for (const part of suite) {
      for (const [name, text] of Object.entries(part['txt-records']))
        server.zone[name.toLowerCase()] = { TXT: [text] };
      for (const [name, { message: raw, cv }] of Object.entries(part.tests)) {
        if (cv === '') continue;
        count++;
        const { arc } = await check(raw.replace(/\r?\n/g, '\r\n'));
        if (arc !== cv.toLowerCase()) wrong.push(`${name}: ${arc} instead of ${cv}`);
      }
    }
    expect(count).toBeGreaterThan(150);
    expect(wrong).toEqual(ARC_DIFFERENCES);
  });
});
