import type { CustomRule } from '@keyfold/contract';
import { expect, test } from 'vitest';
import { createJudge, type JudgedMail } from './judge.ts';
import type { StoredSettings } from './sealing.ts';

const settings = ({
  rules = [],
  white = [],
  black = [],
  ...spam
}: Partial<Omit<StoredSettings['spam_filters'], 'custom_rules'>> & {
  rules?: CustomRule[];
  white?: string[];
  black?: string[];
} = {}): StoredSettings => ({
  spam_filters: { enabled: true, sensitivity: 'medium', custom_rules: rules, ...spam },
  whitelist: white,
  blacklist: black,
});

const mail = (given: Partial<JudgedMail> & { dmarc?: string } = {}): JudgedMail => ({
  from: [{ name: 'Zoe', address: 'zoe@good.example' }],
  to: [{ name: '', address: 'ann@keyfold.test' }],
  cc: [],
  subject: 'An offer',
  authors: ['zoe@good.example'],
  envelopeFrom: 'zoe@good.example',
  verdicts: { spf: 'pass', dkim: 'pass', dmarc: given.dmarc ?? 'pass', dmarcPolicy: 'none' },
  ...given,
});

const judge = (given: StoredSettings, message = mail(), points = 0) =>
  createJudge(given)(message, () => Promise.resolve(points));

test('each sensitivity flags from its own score on', async () => {
  const at = (points: number) =>
    Promise.all(
      (['low', 'medium', 'high'] as const).map(sensitivity =>
        judge(settings({ sensitivity }), mail(), points),
      ),
    );
  expect(await at(3.9)).toEqual([null, null, null]);
  expect(await at(4)).toEqual([null, null, 'score']);
  expect(await at(6)).toEqual([null, 'score', 'score']);
  expect(await at(10)).toEqual(['score', 'score', 'score']);
  expect(await judge(settings({ enabled: false }), mail(), 100)).toBeNull();
});

test('an allowed sender passes when authenticated, and is scored normally otherwise', async () => {
  const white = settings({ white: ['zoe@good.example'] });
  expect(await judge(white, mail(), 100)).toBeNull();
  for (const dmarc of ['none', 'fail', 'permerror', 'temperror'])
    expect(await judge(white, mail({ dmarc }), 100)).toBe('score');
  // A message with a second author in From is not from the whitelisted sender.
  expect(await judge(white, mail({ authors: ['zoe@good.example', 'x@evil.example'] }), 100)).toBe('score');
  // Neither is a message where only the envelope names that sender.
  expect(await judge(white, mail({ authors: ['x@evil.example'] }), 100)).toBe('score');
});

test('a blocked sender is flagged with the filter off, and the more specific entry wins', async () => {
  const off = { enabled: false };
  expect(await judge(settings({ ...off, black: ['@good.example'] }))).toBe('sender');
  expect(await judge(settings({ ...off, black: ['x@other.example'] }))).toBeNull();
  const both = { black: ['@good.example'], white: ['zoe@good.example'] };
  expect(await judge(settings(both))).toBeNull();
  // A sender that is not authenticated as the whitelisted address falls under its blocked domain.
  expect(await judge(settings(both), mail({ dmarc: 'none' }))).toBe('sender');
  expect(await judge(settings({ black: ['zoe@good.example'], white: ['@good.example'] }))).toBe('sender');
});

test('the first matching custom rule decides, and a bare text is searched in the subject', async () => {
  const flag: CustomRule = { field: 'subject', test: 'contains', value: 'OFFÉR', action: 'flag' };
  const allow: CustomRule = { field: 'from', test: 'ends', value: '@good.example', action: 'allow' };
  expect(await judge(settings({ rules: [flag, allow] }))).toBe('rule');
  expect(await judge(settings({ rules: [allow, flag] }), mail(), 100)).toBeNull();
  expect(await judge(settings({ rules: ['offer'] }))).toBe('rule');
  expect(await judge(settings({ rules: ['zoe'] }))).toBeNull();
  expect(await judge(settings({ rules: ['offer'], enabled: false }))).toBeNull();
  expect(await judge(settings({ rules: [allow], black: ['zoe@good.example'] }))).toBe('sender');
});

test('a rule that allows a sender does not apply to mail that its domain disowns', async () => {
  const forged = (dmarcPolicy: string, dmarc = 'fail') =>
    mail({ verdicts: { spf: 'fail', dkim: 'none', dmarc, dmarcPolicy } });
  const named = (field: 'from' | 'any'): CustomRule => ({
    field,
    test: 'contains',
    value: 'good.example',
    action: 'allow',
  });
  for (const rule of [named('from'), named('any')]) {
    expect(await judge(settings({ rules: [rule] }), forged('reject'), 10)).toBe('score');
    expect(await judge(settings({ rules: [rule] }), forged('quarantine'), 10)).toBe('score');
    // A domain with no policy, or whose policy could not be retrieved, disowns nothing.
    expect(await judge(settings({ rules: [rule] }), forged('none'), 10)).toBeNull();
    expect(await judge(settings({ rules: [rule] }), forged('reject', 'none'), 10)).toBeNull();
  }
  // A rule that allows a subject or a recipient does not depend on the sender's name. Rules after
  // an ignored rule still apply.
  const subject: CustomRule = { field: 'subject', test: 'contains', value: 'offer', action: 'allow' };
  expect(await judge(settings({ rules: [subject] }), forged('quarantine'), 10)).toBeNull();
  expect(await judge(settings({ rules: [named('from'), 'offer'] }), forged('quarantine'), 10)).toBe('rule');
  // Mail that its domain wants rejected passes neither a rule nor a disabled filter.
  expect(await judge(settings({ rules: [subject] }), forged('reject'), 10)).toBe('score');
  expect(await judge(settings({ enabled: false }), forged('reject'), 0)).toBe('score');
  expect(await judge(settings({ enabled: false }), forged('quarantine'), 0)).toBe('score');
});

test('texts are compared literally and never used as patterns', async () => {
  const rule: CustomRule = { field: 'any', test: 'contains', value: '(a+)+$', action: 'flag' };
  const startedAt = performance.now();
  expect(await judge(settings({ rules: [rule] }), mail({ subject: `${'a'.repeat(100_000)}!` }))).toBeNull();
  expect(performance.now() - startedAt).toBeLessThan(100);
  expect(await judge(settings({ rules: [rule] }), mail({ subject: 'x (a+)+$ y' }))).toBe('rule');
});

test('the score is not computed when something else decides', async () => {
  const never = () => Promise.reject(new Error('asked'));
  expect(await createJudge(settings({ white: ['zoe@good.example'] }))(mail(), never)).toBeNull();
  expect(await createJudge(settings({ rules: ['offer'] }))(mail(), never)).toBe('rule');
  expect(await createJudge(settings({ enabled: false }))(mail(), never)).toBeNull();
});
