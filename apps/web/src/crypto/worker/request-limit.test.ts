import { expect, test } from 'vitest';
import { requestLimitMs } from './request-limit.ts';

test('workers wait 10 s in a browser and 30 s in an app, and longer where the call is long by nature', () => {
  expect(requestLimitMs({}, 'https://mail.example.org')).toBe(10_000);
  expect(requestLimitMs({}, 'capacitor://localhost')).toBe(30_000);
  expect(requestLimitMs({}, 'https://localhost')).toBe(30_000);
  expect(requestLimitMs({ timeoutMs: 60_000 }, 'https://mail.example.org')).toBe(60_000);
  expect(requestLimitMs({ timeoutMs: 20_000 }, 'https://localhost')).toBe(30_000);
});
