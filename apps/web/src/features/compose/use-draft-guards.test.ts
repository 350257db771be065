import { expect, test } from 'vitest';
import { isUnsaved } from './use-draft-guards.ts';

const quiet = { files: [], phase: 'writing' as const };

test('a new or saved draft has no unsaved changes', () => {
  expect(isUnsaved({ ...quiet, save: { kind: 'new' } })).toBe(false);
  expect(isUnsaved({ ...quiet, save: { kind: 'saved', at: new Date(0) } })).toBe(false);
});

test('a draft that was changed, failed to save, or is being sent counts as unsaved', () => {
  expect(isUnsaved({ ...quiet, save: { kind: 'changed' } })).toBe(true);
  expect(isUnsaved({ ...quiet, save: { kind: 'failed', reason: 'offline', isKept: false } })).toBe(true);
  expect(isUnsaved({ ...quiet, save: { kind: 'new' }, phase: 'sending' })).toBe(true);
});
