import { expect, test } from 'vitest';
import { type Config, readConfig } from '../../../config/config.ts';
import { policyRecords, policyText } from '../../../config/mta-sts.ts';
import type { PublishedKey } from '../../outbound/delivery/index.ts';
import { findPolicyId, isMxAllowed, readPolicy } from '../../reports/tls-policy/sts-policy.ts';
import { judgeAnswer } from './findings.ts';
import { ownRecordLines } from './own-records.ts';
import { type Expected, expectedRecords } from './records.ts';

const keyOf = (number: number, seenAt: Date | null): PublishedKey => ({
  domain: 'own.test',
  type: 'TXT',
  selector: `kf${number}`,
  name: `kf${number}._domainkey.own.test`,
  value: `v=DKIM1; k=rsa; p=KEY${number}`,
  seenAt,
});
const claim = { domain: 'own.test', token: 'keyfold-verify=abc' };
type Env = Readonly<Record<string, string>>;
const configOf = (env: Env): Config =>
  readConfig({ KEYFOLD_DATA: '/nowhere', KEYFOLD_ROLES: 'http', ...env });
const recordsOf = (
  url: string,
  keys: readonly PublishedKey[] = [keyOf(1, null)],
  env: Env = {},
): Expected[] => expectedRecords(configOf({ KEYFOLD_URL: url, ...env }), claim, keys);
const HTTPS = 'https://mail.example.org';
const ENFORCE = { KEYFOLD_MTA_STS: 'enforce', KEYFOLD_MX_NAMES: 'mx1.example.org,mx2.example.org' };
const toTexts = (texts: readonly string[]) => ({ kind: 'records', texts }) as const;

test('MTA-STS records appear only for a policy that this service can serve over HTTPS', () => {
  const hosts = (url: string, env: Env) =>
    recordsOf(url, [], env)
      .filter(({ purpose }) => purpose === 'mta_sts')
      .map(({ type, host, value }) => [type, host, value]);
  expect(hosts('http://localhost:8000', ENFORCE)).toEqual([]);
  expect(hosts(HTTPS, {})).toEqual([]);
  expect(hosts(HTTPS, ENFORCE)).toEqual([
    ['TXT', '_mta-sts', expect.stringMatching(/^v=STSv1; id=[0-9a-f]{16}$/)],
    ['CNAME', 'mta-sts', 'mail.example.org'],
  ]);
});

test('a changed policy has a new id, and a record with the old one must be replaced', () => {
  const textOf = (env: Env): Expected => {
    const found = recordsOf(HTTPS, [], { ...ENFORCE, ...env }).find(({ key }) => key === 'mta_sts');
    if (found === undefined) throw new Error('No such record');
    return found;
  };
  const first = textOf({});
  const others = [textOf({ KEYFOLD_MTA_STS: 'testing' }), textOf({ KEYFOLD_MX_NAMES: 'mx1.example.org' })];
  expect(textOf({ KEYFOLD_HOSTNAME: 'mx2.example.org' }).value).toBe(first.value);
  expect(new Set([first, ...others].map(({ value }) => value)).size).toBe(3);
  expect(judgeAnswer(first, toTexts([first.value]), undefined).state).toBe('found');
  for (const { value } of others)
    expect(judgeAnswer(first, toTexts([value]), undefined)).toMatchObject({
      state: 'different',
      advice: 'replace',
    });
});

test('the served policy is valid, matches the announced id and lists every mail server', () => {
  const config = configOf({ KEYFOLD_URL: HTTPS, ...ENFORCE });
  const [announced] = policyRecords(config, 'own.test');
  const id = findPolicyId([[announced?.value]]) ?? expect.fail('no id is announced');
  const policy = readPolicy(policyText(config), id) ?? expect.fail('no policy is served');
  expect(policy).toMatchObject({ mode: 'enforce', mx: ['mx1.example.org', 'mx2.example.org'] });
  expect(isMxAllowed(policy, 'mx2.example.org')).toBe(true);
  expect(isMxAllowed(policy, 'mail.example.org')).toBe(false);
});

test('any of several mail servers suffices, and a foreign one is reported', () => {
  const [first, second, ...more] = recordsOf(HTTPS, [], ENFORCE).filter(({ purpose }) => purpose === 'mx');
  if (first === undefined || second === undefined) throw new Error('No such records');
  expect(more).toEqual([]);
  expect([first, second].map(one => [one.value, one.is_required])).toEqual([
    ['mx1.example.org', true],
    ['mx2.example.org', false],
  ]);
  const statesOf = (...texts: string[]) =>
    [first, second].map(one => judgeAnswer(one, toTexts(texts), undefined).state);
  expect(statesOf('10 mx1.example.org.', '10 mx2.example.org')).toEqual(['found', 'found']);
  expect(statesOf('10 mx1.example.org')).toEqual(['found', 'waiting']);
  expect(statesOf('10 mx2.example.org')).toEqual(['found', 'found']);
  expect(statesOf('10 mx1.example.org', '20 mx.old.test')).toEqual(['different', 'different']);
  expect(statesOf()).toEqual(['waiting', 'waiting']);
});

test('the operator gets the same records for the service’s own domains', () => {
  const config = configOf({ KEYFOLD_URL: HTTPS, KEYFOLD_DOMAINS: 'example.org,two.test', ...ENFORCE });
  const lines = ownRecordLines(
    config,
    [keyOf(1, null)].map(key => ({ ...key, domain: 'two.test' })),
  );
  const [announced] = policyRecords(config, 'example.org');
  expect(
    lines.filter(line => /^(|_mta-sts\.|mta-sts\.)example\.org\. (MX|TXT "v=STS|CNAME)/.test(line)),
  ).toEqual([
    'example.org. MX 10 mx1.example.org.',
    'example.org. MX 10 mx2.example.org.',
    `_mta-sts.example.org. TXT "${announced?.value}"`,
    'mta-sts.example.org. CNAME mail.example.org.',
  ]);
  expect(lines.filter(line => line.includes('DKIM1'))).toHaveLength(1);
  expect(ownRecordLines(configOf({}), []).join('\n')).not.toContain('mta-sts');
});

test('SPF includes this host when it is not a mail server, and notes cover what records cannot say', () => {
  const spfOf = (env: Record<string, string>) =>
    ownRecordLines(configOf({ KEYFOLD_DOMAINS: 'example.org', ...env }), []).filter(line =>
      /spf1|^;/.test(line),
    );
  expect(spfOf({})).toEqual(['example.org. TXT "v=spf1 mx -all"']);
  expect(spfOf({ KEYFOLD_MX_NAMES: 'mx.example.org', KEYFOLD_HOSTNAME: 'out.example.org' })).toEqual([
    'example.org. TXT "v=spf1 mx a:out.example.org -all"',
  ]);
  const told = spfOf({ SMTP_RELAY: 'smtp://relay.example.net', KEYFOLD_MTA_STS: 'testing' });
  expect(told.map(line => line.slice(0, 27))).toEqual([
    '; Mail is sent through SMTP',
    '; KEYFOLD_URL is not https,',
    'example.org. TXT "v=spf1 mx',
  ]);
});

test('only the current and the next DKIM key are shown; all are checked', () => {
  const keys = [keyOf(1, new Date()), keyOf(2, new Date()), keyOf(3, null)];
  const dkim = recordsOf('http://localhost', keys).filter(({ purpose }) => purpose === 'dkim');
  expect(dkim.map(({ host, isShown }) => [host, isShown])).toEqual([
    ['kf1._domainkey', false],
    ['kf2._domainkey', true],
    ['kf3._domainkey', true],
  ]);
});

test.each([
  ['spf', 'v=spf1 include:keyfold.test ~all', 'found'],
  ['spf', 'v=spf1 +INCLUDE:keyfold.test mx -all', 'found'],
  ['spf', 'v=spf1 include:keyfold.test.evil -all', 'different'],
  ['spf', 'v=spf10 include:keyfold.test', 'waiting'],
  ['dkim', 'v=DKIM1; p=KEY1', 'found'],
  ['dkim', 'v=DKIM1; k=rsa; p= KEY1 ;', 'found'],
  ['dkim', 'v=DKIM1; p=', 'different'],
  ['dmarc', 'v=DMARC1; p=none; rua=mailto:a@own.test', 'found'],
  ['dmarc', 'V=DMARC1;P=Reject', 'found'],
  ['dmarc', 'v=DMARC1', 'different'],
  ['dmarc', 'hello', 'different'],
  ['ownership', ' keyfold-verify=abc ', 'found'],
  ['ownership', 'keyfold-verify=ABC', 'different'],
  ['ownership', 'hello', 'waiting'],
  ['tls_rpt', 'v=TLSRPTv1; rua=mailto:x@elsewhere.test', 'found'],
] as const)('%s: %j is %s', (purpose, text, state) => {
  const expected = recordsOf('http://localhost').find(one => one.purpose === purpose);
  if (expected === undefined) throw new Error('No such record');
  expect(judgeAnswer(expected, { kind: 'records', texts: [text] }, undefined).state).toBe(state);
});
