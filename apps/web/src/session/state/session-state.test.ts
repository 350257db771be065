import { expect, test } from 'vitest';
import { noteSignOut, placeAfter } from './session-state.ts';

test('whose session ended comes back to where it ended; after signing out nobody does', () => {
  expect(placeAfter('/app/security?a=1')).toEqual({ from: '/app/security?a=1' });
  noteSignOut();
  expect(placeAfter('/app/security?a=1')).toBeNull();
});
