import { expect, test } from 'vitest';
import { requestLimitMs } from './request-limit.ts';

test('requests time out after 10 s in a browser, 30 s in an app, and later if the call says so', () => {
  expect(requestLimitMs({}, 'https://mail.example.org')).toBe(10_000);
  expect(requestLimitMs({}, 'capacitor://localhost')).toBe(30_000);
  expect(requestLimitMs({}, 'https://localhost')).toBe(30_000);
  expect(requestLimitMs({ timeoutMs: 60_000 }, 'https://mail.example.org')).toBe(60_000);
  expect(requestLimitMs({ timeoutMs: 20_000 }, 'https://localhost')).toBe(30_000);
});
