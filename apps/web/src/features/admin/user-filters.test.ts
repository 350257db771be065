import type { AdminUser } from '@keyfold/contract';
import { ADMIN_SHOWN_QUOTA_BYTES } from '@keyfold/contract/limits';
import { describe, expect, test } from 'vitest';
import { countFilters, filterUsers, noFilters, storageLevelOf } from './user-filters.ts';

const user = (change: Partial<AdminUser> = {}): AdminUser => ({
  id: 'u',
  name: 'Ines Almeida',
  email: 'ines@keyfold.test',
  status: 'active',
  plan: 'free',
  is_admin: false,
  admin_level: null,
  used_space: 0,
  sent_emails: 0,
  domain_count: 0,
  created_at: '2026-11-01T00:00:00.000Z',
  last_active_at: null,
  mail_held: false,
  ...change,
});

const filled = (percent: number) => ({ used_space: (ADMIN_SHOWN_QUOTA_BYTES * percent) / 100 });

test.each([
  [0, 'low'],
  [24.99, 'low'],
  [25, 'medium'],
  [75, 'medium'],
  [75.01, 'high'],
  [300, 'high'],
])('%d percent storage is %s', (percent, level) => {
  expect(storageLevelOf(filled(percent))).toBe(level);
});

describe('the filters', () => {
  const ines = user();
  const tomasz = user({
    name: 'Tomasz',
    email: 'T.Wilk@keyfold.test',
    status: 'suspended',
    plan: 'pro',
    is_admin: true,
    ...filled(92.2),
  });
  const all = [ines, tomasz];

  test('keep all users when none is set', () => {
    expect(filterUsers(all, noFilters, '  ')).toEqual(all);
    expect(countFilters(noFilters)).toBe(0);
  });

  test.each([
    [{ status: 'suspended' }],
    [{ plan: 'pro' }],
    [{ adminStatus: 'admin' }],
    [{ storageLevel: 'high' }],
  ] as const)('%o', change => {
    const filters = { ...noFilters, ...change };
    expect(filterUsers(all, filters, '')).toEqual([tomasz]);
    expect(countFilters(filters)).toBe(1);
  });

  test('match name or address regardless of case, combined with the other filters', () => {
    expect(filterUsers(all, noFilters, 't.wILK@')).toEqual([tomasz]);
    expect(filterUsers(all, noFilters, ' INES ')).toEqual([ines]);
    expect(filterUsers(all, { ...noFilters, status: 'active' }, 'tomasz')).toEqual([]);
  });
});
