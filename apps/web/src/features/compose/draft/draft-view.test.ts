import { expect, test } from 'vitest';
import type { Wait } from './draft-state.ts';
import { toComposerPhase } from './draft-view.ts';

const quiet = { phase: 'writing', wait: null, sendError: null } as const;
const wait: Wait = { inTwoCopies: false, at: null, agreed: {}, sendKeys: [], wasTried: false };

test('maps the state of a draft to one composer phase', () => {
  expect(toComposerPhase(quiet)).toBe('writing');
  expect(toComposerPhase({ ...quiet, sendError: 'Refused' })).toBe('failed');
  expect(toComposerPhase({ ...quiet, wait })).toBe('waiting');
  expect(toComposerPhase({ ...quiet, wait, phase: 'sending' })).toBe('sending');
  expect(toComposerPhase({ ...quiet, phase: 'sent' })).toBe('sending');
});

test('a draft open in another tab is read-only, whatever its other state', () => {
  expect(toComposerPhase({ phase: 'elsewhere', wait, sendError: 'Refused' })).toBe('readOnly');
});
