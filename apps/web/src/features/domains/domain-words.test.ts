import type { DomainInfo, DomainRecord } from '@keyfold/contract';
import { expect, test } from 'vitest';
import { adviceOf, stepOf } from './domain-words.ts';

const record = (purpose: DomainRecord['purpose'], ok: boolean): DomainRecord => ({
  purpose,
  type: 'TXT',
  name: 'own.test',
  host: '@',
  value: 'x',
  found: [],
  ok,
  state: ok ? 'found' : 'waiting',
  is_required: purpose !== 'tls_rpt',
});
const step = (verified: boolean, ...done: DomainRecord['purpose'][]): number =>
  stepOf({
    verified,
    records: (['ownership', 'mx', 'spf', 'dkim', 'dmarc', 'tls_rpt'] as const).map(purpose =>
      record(purpose, done.includes(purpose)),
    ),
  } as unknown as DomainInfo);

test('the current step is the first that is not done, ignoring recommended records', () => {
  expect(step(false, 'mx', 'spf', 'dkim', 'dmarc')).toBe(0);
  expect(step(true, 'ownership')).toBe(1);
  expect(step(true, 'ownership', 'mx', 'spf', 'dmarc')).toBe(2);
  expect(step(true, 'ownership', 'mx', 'spf', 'dkim', 'dmarc')).toBe(3);
});

test('a new signing key that is still waiting does not move the domain back a step', () => {
  const records = [record('ownership', true), record('dkim', true), record('dkim', false)];
  expect(stepOf({ verified: true, records } as unknown as DomainInfo)).toBe(3);
});

test('a missing recommended mail server does not move the domain back a step', () => {
  const more = { ...record('mx', false), is_required: false };
  const records = [record('ownership', true), record('mx', true), more, record('dkim', true)];
  expect(stepOf({ verified: true, records } as unknown as DomainInfo)).toBe(3);
});

test('gives advice only for records that differ or got no response', () => {
  expect(adviceOf({ ...record('spf', false), advice: 'add' })).toBeNull();
  expect(adviceOf({ ...record('spf', false), state: 'different', advice: 'merge' })).toBe(
    'Combine both values in one record.',
  );
  expect(adviceOf({ ...record('spf', true), state: 'unknown', advice: 'ask_again' })).toContain(
    'DNS didn’t respond',
  );
});
