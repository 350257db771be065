// Pins the limits to the text of the specification.

import { expect, test } from 'vitest';
import * as limits from './limits.ts';

test('the limits match the specification', () => {
  expect(limits.RECOVERY_MAX_RAW_CHARACTERS).toBe(26214400);
  expect(limits.RECOVERY_MAX_PART_CHARACTERS).toBe(5242880);
  expect(limits.INVITE_DESCRIPTION_MAX_CHARACTERS).toBe(500);
  expect(limits.INVITE_SUMMARY_DESCRIPTION_MAX_CHARACTERS).toBe(300);
  expect(limits.DETACH_MIN_BYTES).toBe(32 * 1024);
  expect(limits.SNIPPET_MAX_CHARACTERS).toBe(200);
  expect(limits.ADDRESS_MAX_CHARACTERS).toBe(254);
});
