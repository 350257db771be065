import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import type { PublishedKey } from '../delivery/service.ts';
import { judgeAnswer } from './findings.ts';
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
const recordsOf = (url: string, keys: readonly PublishedKey[] = [keyOf(1, null)]): Expected[] =>
  expectedRecords(readConfig({ KEYFOLD_URL: url, KEYFOLD_DATA: '/nowhere' }), claim, keys);

test('MTA-STS is told where this service can answer for it over HTTPS, and nowhere else', () => {
  const hosts = (url: string) =>
    recordsOf(url)
      .filter(({ purpose }) => purpose === 'mta_sts')
      .map(({ type, host, value }) => [type, host, value]);
  expect(hosts('http://localhost:8000')).toEqual([]);
  expect(hosts('https://mail.example.org')).toEqual([
    ['TXT', '_mta-sts', expect.stringMatching(/^v=STSv1; id=[0-9a-f]{16}$/)],
    ['CNAME', 'mta-sts', 'mail.example.org'],
  ]);
});

test('of the keys, the one in use and one to come are shown; all are asked about', () => {
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
