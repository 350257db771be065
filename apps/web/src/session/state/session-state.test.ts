import { expect, test } from 'vitest';
import { noteSignOut, placeAfter } from './session-state.ts';

test('an ended session returns to its last page after sign-in; a sign-out does not', () => {
  expect(placeAfter('/app/security?a=1')).toEqual({ from: '/app/security?a=1' });
  noteSignOut();
  expect(placeAfter('/app/security?a=1')).toBeNull();
});
