import { afterEach, expect, test } from 'vitest';
import { formatListDate } from './dates.ts';
import { formatLocale, setLanguage, t, tAs } from './language.ts';
import { formatCount, joinNames } from './words.ts';

afterEach(() => setLanguage('en', {}));

test('an English text is its own key and the fallback for a missing translation', () => {
  expect(t('Archive {count}', { count: 2 })).toBe('Archive 2');
  setLanguage('de', { Archive: 'Archiv', 'verb|Archive': 'Archivieren' });
  expect(t('Archive')).toBe('Archiv');
  expect(tAs('verb', 'Archive')).toBe('Archivieren');
  expect(t('Not there')).toBe('Not there');
});

test('plurals, numbers, lists and dates follow the language', () => {
  setLanguage('de', {
    '{count, plural, one {# message} other {# messages}}':
      '{count, plural, one {# Nachricht} other {# Nachrichten}}',
  });
  expect(t('{count, plural, one {# message} other {# messages}}', { count: 2400 })).toBe('2.400 Nachrichten');
  expect(formatCount(2400)).toBe('2.400');
  expect(joinNames(['Ines', 'Karl'])).toBe('Ines und Karl');
  expect(formatListDate(new Date(2026, 11, 24), new Date(2027, 1, 1))).toBe('24. Dez. 2026');
});

test('Arabic uses Latin digits', () => {
  setLanguage('ar', {});
  expect(formatLocale()).toContain('nu-latn');
  expect(formatCount(2400)).toMatch(/^2.400$/);
});
