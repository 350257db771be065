// Freezes how many unconfirmed secrets of a user are kept: a lower limit would invalidate words or
// codes that were already shown.
import { expect, test } from 'vitest';
import { RECOVERY_CODES, SHOWN_CODE_SETS_MAX, SHOWN_KITS_MAX } from './limits.ts';

test('up to ten kits and ten sets of ten codes may be unconfirmed', () => {
  expect({ RECOVERY_CODES, SHOWN_CODE_SETS_MAX, SHOWN_KITS_MAX }).toEqual({
    RECOVERY_CODES: 10,
    SHOWN_CODE_SETS_MAX: 10,
    SHOWN_KITS_MAX: 10,
  });
});
