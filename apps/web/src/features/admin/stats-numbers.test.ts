import { expect, test } from 'vitest';
import { churnRateOf, sumSent } from './stats-numbers.ts';

const stats = {
  total_users: 8,
  active_users: 7,
  churned_users: 1,
  new_users_this_month: 0,
  churn_rate: 99,
  storage_used: 0,
  total_emails_sent: 0,
  emails_sent_this_month: 0,
  total_domains: 0,
  active_domains: 0,
  users_by_plan: {},
};

test('computes churn from churned and total users, whatever rate the server sends', () => {
  expect(churnRateOf(stats)).toBe(12.5);
  expect(churnRateOf({ ...stats, churned_users: 0 })).toBe(0);
  expect(churnRateOf({ ...stats, churned_users: 0, total_users: 0 })).toBe(0);
});

test('uses the server’s churn rate if the server does not count churned users', () => {
  const { churned_users: _, ...older } = stats;
  expect(churnRateOf(older)).toBe(99);
});

test('sums sent messages over all users', () => {
  expect(sumSent([{ sent_emails: 5 }, { sent_emails: 7 }])).toBe(12);
  expect(sumSent([])).toBe(0);
});
