import { expect, test } from 'vitest';
import { goTarget } from './use-go-shortcuts.ts';

test('letters lead to folders, and unknown ones nowhere', () => {
  expect(goTarget('i')).toBe('/app/inbox/recieved/0');
  expect(goTarget('#')).toBe('/app/inbox/deleted/0');
  expect(goTarget(',')).toBe('/app/config/account');
  expect(goTarget('q')).toBeNull();
});
