import { expect, test } from 'vitest';
import { namesIn } from '../i18n/icu.mjs';
import { findCatalogProblems, readWords } from './translations.mjs';

const visibleIn = source => readWords('a.tsx', source).visible.map(({ text }) => text);

test('finds texts between tags, in accessible names and in branches', () => {
  expect(visibleIn('const a = () => <p title="A tip">Some words {x ? "This one" : `That`}</p>;')).toEqual([
    'A tip',
    'Some words',
    'This one',
    'That',
  ]);
  expect(visibleIn("const b = () => show({ tone: 'danger', text: 'It failed' });")).toEqual(['It failed']);
});

test('ignores class names, the brand and translated texts', () => {
  expect(
    visibleIn(
      'const a = () => <p className={cn("flex min-w-0", is && "a B")} aria-label={t("A name")}>Keyfold {t("Words")}</p>;',
    ),
  ).toEqual([]);
});

test('a message must be a literal and cannot be requested while modules load', () => {
  expect(
    readWords('a.ts', "const f = () => t('One') + tAs('verb', 'Two');").messages.map(
      ({ key, meaning, text }) => [key, meaning, text],
    ),
  ).toEqual([
    ['One', '', 'One'],
    ['verb|Two', 'verb', 'Two'],
  ]);
  expect(readWords('a.ts', "const words = t('Too early');").problems).toHaveLength(1);
  expect(readWords('a.ts', "const words = term('In time');").problems).toEqual([]);
  expect(readWords('a.ts', 'const f = () => t(`Hello`);').problems).toHaveLength(1);
});

test('finds the placeholders of plurals and selects', () => {
  expect(namesIn('{count, plural, =0 {None} one {# mail of {who}} other {# mails}} in {folder}')).toEqual([
    'count',
    'folder',
    'who',
  ]);
  expect(namesIn('{broken')).toBeNull();
});

test('reports missing, unused and mismatched translations', () => {
  const keys = new Set(['One', 'Hello {name}']);
  expect(findCatalogProblems('de.json', { One: 'Eins', 'Hello {name}': 'Hallo {name}' }, keys)).toEqual([]);
  expect(findCatalogProblems('de.json', { 'Hello {name}': 'Hallo {nome}', Old: 'Alt' }, keys)).toHaveLength(
    3,
  );
});
