import { expect, test } from 'vitest';
import type { Wait } from './draft-state.ts';
import { toComposerPhase } from './draft-view.ts';

const quiet = { phase: 'writing', wait: null, sendError: null } as const;
const wait: Wait = { inTwoCopies: false, at: null, agreed: {}, sendKeys: [], wasTried: false };

test('a composer is doing one thing at a time', () => {
  expect(toComposerPhase(quiet)).toBe('writing');
  expect(toComposerPhase({ ...quiet, sendError: 'Refused' })).toBe('failed');
  expect(toComposerPhase({ ...quiet, wait })).toBe('waiting');
  expect(toComposerPhase({ ...quiet, wait, phase: 'sending' })).toBe('sending');
  expect(toComposerPhase({ ...quiet, phase: 'sent' })).toBe('sending');
});

test('what another tab has is read-only, whatever else is known of it', () => {
  expect(toComposerPhase({ phase: 'elsewhere', wait, sendError: 'Refused' })).toBe('readOnly');
});
