import { expect, test } from 'vitest';
import { findCatalogProblems, findTranslationProblems, namesIn, readWords } from './translations.mjs';

const visibleIn = source => readWords('a.tsx', source).visible.map(({ text }) => text);

test('texts between tags, in names for readers and in branches are found', () => {
  expect(visibleIn('const a = () => <p title="A tip">Some words {x ? "This one" : `That`}</p>;')).toEqual([
    'A tip',
    'Some words',
    'This one',
    'That',
  ]);
  expect(visibleIn("const b = () => show({ tone: 'danger', text: 'It failed' });")).toEqual(['It failed']);
});

test('class names, the brand, and what went through t are not', () => {
  expect(
    visibleIn(
      'const a = () => <p className={cn("flex min-w-0", is && "a B")} aria-label={t("A name")}>Keyfold {t("Words")}</p>;',
    ),
  ).toEqual([]);
});

test('a message must be a literal and must not be asked for while modules load', () => {
  expect(
    readWords('a.ts', "const f = () => t('One') + tAs('verb', 'Two');").messages.map(one => one.key),
  ).toEqual(['One', 'verb|Two']);
  expect(readWords('a.ts', "const words = t('Too early');").problems).toHaveLength(1);
  expect(readWords('a.ts', "const words = term('In time');").problems).toEqual([]);
  expect(readWords('a.ts', 'const f = () => t(`Hello`);').problems).toHaveLength(1);
});

test('the words in braces are known through plurals and selects', () => {
  expect(namesIn('{count, plural, =0 {None} one {# mail of {who}} other {# mails}} in {folder}')).toEqual([
    'count',
    'folder',
    'who',
  ]);
  expect(namesIn('{broken')).toBeNull();
});

test('missing, unused and different translations are named', () => {
  const keys = new Set(['One', 'Hello {name}']);
  expect(findCatalogProblems('de.json', { One: 'Eins', 'Hello {name}': 'Hallo {name}' }, keys)).toEqual([]);
  expect(findCatalogProblems('de.json', { 'Hello {name}': 'Hallo {nome}', Old: 'Alt' }, keys)).toHaveLength(
    3,
  );
});

test('the catalogues of the tree hold together', () => {
  expect(findTranslationProblems()).toEqual([]);
});
