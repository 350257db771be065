import { expect, test } from 'vitest';
import { asksForPlan, isSafePlace, manageSubscription } from './manage-subscription.ts';

test('rejects an unknown action and an upgrade without a plan with the texts of the specification', async () => {
  await expect(manageSubscription('downgrade')).rejects.toThrow('Invalid subscription action');
  await expect(manageSubscription('upgrade')).rejects.toThrow('Unable to determine upgrade path');
});

test('recognizes a refusal that asks to select a plan', () => {
  expect(
    asksForPlan(new Error('Select a plan first. You don’t have a Stripe account for billing yet.')),
  ).toBe(true);
  expect(asksForPlan(new Error('Please try selecting a plan'))).toBe(true);
  expect(asksForPlan(new Error('Failed to open billing portal'))).toBe(false);
  expect(asksForPlan(null)).toBe(false);
});

test('allows navigation only to HTTPS addresses and this machine', () => {
  for (const url of ['https://checkout.stripe.com/c/pay/x', 'http://127.0.0.1:4242/pay/x'])
    expect(isSafePlace(url), url).toBe(true);
  for (const url of ['http://checkout.example/', 'javascript:alert(1)', 'data:text/html,x', '/app', ''])
    expect(isSafePlace(url), url).toBe(false);
});
