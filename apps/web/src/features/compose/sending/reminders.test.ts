import { expect, test } from 'vitest';
import type { DraftState } from '../draft/draft-state.ts';
import { findReminders, speaksOfAttachment } from './reminders.ts';

const draft = (change: Partial<DraftState>): DraftState =>
  ({
    subject: 'Plan',
    text: 'Hello',
    signatureText: '',
    html: null,
    quote: null,
    files: [],
    ...change,
  }) as DraftState;

test('detects text that mentions an attachment, in several languages', () => {
  for (const text of [
    'See attached',
    'the Attachment shows it',
    'Im Anhang findest du',
    'anbei die Datei',
    'Vous trouverez ci-joint',
    'te adjunto el plan',
    'أرسلت لك المرفق',
    '添付します',
  ])
    expect(speaksOfAttachment(text), text).toBe(true);
  for (const text of ['I am very detached', 'Attack', 'See you', 'Behang'])
    expect(speaksOfAttachment(text), text).toBe(false);
});

test('quoted and forwarded text does not count', () => {
  expect(speaksOfAttachment('Thanks\n> see attached')).toBe(false);
  expect(speaksOfAttachment('FYI\n---------- Forwarded message ----------\nsee attached')).toBe(false);
});

test('warns about an empty subject and an empty text', () => {
  expect(findReminders(draft({}))).toEqual([]);
  expect(findReminders(draft({ subject: ' ', text: '' }))).toEqual(['subject', 'nothing']);
  expect(findReminders(draft({ text: '-- \nAna', signatureText: 'Ana' }))).toEqual(['nothing']);
  expect(findReminders(draft({ text: '', quote: { html: '', text: '' } }))).toEqual([]);
});
