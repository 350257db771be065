import { expect, test } from 'vitest';
import * as limits from './limits.ts';

const DAY_MS = 86_400_000;

test('the limits have the values from the specification', () => {
  expect(limits.DELETED_MAIL_KEPT_MS).toBe(30 * DAY_MS);
  expect(limits.DEVICE_LIFETIME_MS).toBe(30 * DAY_MS);
  expect(limits.BIOMETRIC_LIFETIME_MS).toBe(7 * DAY_MS);
  expect(limits.KEPT_BIOMETRIC_LIFETIME_MS).toBe(30 * DAY_MS);
  expect(limits.CSRF_LIFETIME_MS).toBe(DAY_MS);
  expect(limits.SHARE_CODE_LIFETIME_MS).toBe(600_000);
  expect(limits.PLAN_LIMITS.free.storageBytes).toBe(5_368_709_120);
  expect(limits.FIRST_CONTACT_BONUS_BYTES).toBe(524_288_000);
});

test('a higher plan never has a lower limit', () => {
  const { free, plus, pro } = limits.PLAN_LIMITS;
  for (const name of Object.keys(free) as (keyof typeof free)[]) {
    expect(free[name]).toBeLessThan(plus[name]);
    expect(plus[name]).toBeLessThan(pro[name]);
  }
});
