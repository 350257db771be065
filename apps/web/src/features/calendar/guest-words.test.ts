// Texts about the guests of an event: their answers, and those whom an invitation did not reach.
import type { Guest } from '@keyfold/mail/ics/guests';
import { expect, test } from 'vitest';
import { setLanguage } from '../../lib/language.ts';
import { failureText } from './EventDialog.tsx';
import { countWords } from './invite-words.ts';
import { GuestsMissedError, UnknownGuestsError } from './send-event.ts';

test('counts delegated guests apart from those who have not answered', () => {
  const guests = (['ACCEPTED', 'DELEGATED', 'DELEGATED', 'NEEDS-ACTION'] as const).map(
    answer => ({ answer }) as Guest,
  );
  expect(countWords(guests)).toBe('1 accepted, 2 delegated, 1 awaiting answer');
});

test('asks to correct all unknown addresses, in one sentence for one or several', () => {
  expect(failureText(new UnknownGuestsError(['gwenn@keyfold.test']))).toBe(
    'The address gwenn@keyfold.test doesn’t exist. Correct or remove it before you send.',
  );
  expect(failureText(new UnknownGuestsError(['a@keyfold.test', 'b@keyfold.test']))).toMatch(
    /b@keyfold.test doesn’t exist\. Correct or remove them before you send\.$/,
  );
});

test('names the guests who were missed, and translates the reason', () => {
  const guests = [{ name: 'Ann', address: 'ann@keyfold.test' }];
  setLanguage('de', { 'Storage is full': 'Speicher voll' });
  const text = failureText(new GuestsMissedError(guests, new Error('Storage is full')));
  setLanguage('en', {});
  expect(text).toBe('Couldn’t send to Ann. Speicher voll');
});
