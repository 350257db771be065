// Freezes how many unconfirmed secrets of a user are kept: fewer would void words or codes that were shown.
import { expect, test } from 'vitest';
import { RECOVERY_CODES, SHOWN_CODE_SETS_MAX, SHOWN_KITS_MAX } from './limits.ts';

test('ten kits and ten sets of ten codes may be shown and unconfirmed', () => {
  expect({ RECOVERY_CODES, SHOWN_CODE_SETS_MAX, SHOWN_KITS_MAX }).toEqual({
    RECOVERY_CODES: 10,
    SHOWN_CODE_SETS_MAX: 10,
    SHOWN_KITS_MAX: 10,
  });
});
