// The canary for the check of the shell's texts: each rule is broken once, and the check must
// report exactly that.
import { expect, test } from 'vitest';
import { translatedLanguages } from '../i18n/catalogs.mjs';
import { readProjectFile } from '../source-files.mjs';
import { findShellProblems, findTextProblems, readPageWords, readShellTexts } from './shell-words.mjs';

const source = readProjectFile('apps/mobile/page/texts.js');
function broken(change) {
  const texts = readShellTexts(source);
  change(texts);
  return findTextProblems(texts, translatedLanguages);
}

test('the texts of the repository are consistent', () => {
  expect(findShellProblems()).toEqual([]);
  expect(broken(() => undefined)).toEqual([]);
});

test.each([
  ['no texts in “fr”', texts => delete texts.fr],
  [
    'texts in “sv”, which is not a language of the client',
    texts => Object.assign(texts, { sv: { ...texts.de } }),
  ],
  ['“de” has no “busy”', texts => delete texts.de.busy],
  ['“es” has no “title”', texts => Object.assign(texts.es, { title: ' ' })],
  ['“ar” has “extra”, which “en” lacks', texts => Object.assign(texts.ar, { extra: 'x' })],
  [
    'the placeholders of “absent” differ in “fr”',
    texts => Object.assign(texts.fr, { absent: 'Aucun {adresse}' }),
  ],
  ['“label” is not translated in “de”', texts => Object.assign(texts.de, { label: texts.en.label })],
])('reports: %s', (problem, change) => {
  expect(broken(change)).toEqual([`apps/mobile/page/texts.js: ${problem}`]);
});

test('finds literal texts of the page wherever users would read them', () => {
  const page = `
    button.textContent = isBusy ? 'Looking for it' : texts.go;
    document.title = 'Keyfold app';
    screen.append(make('p', { class: 'shell-hint wide', 'aria-label': 'A name' }, 'Some words'));
    fail(\`Nobody answers at \${address}\`);
    input.setAttribute('title', 'A tip');
    form.addEventListener('submit', onSubmit);
    throw new Error('The page has no body');
  `;
  expect(readPageWords('a.js', page).own.map(({ text, line }) => [line, text])).toEqual([
    [2, 'Looking for it'],
    [3, 'Keyfold app'],
    [4, 'Some words'],
    [4, 'A name'],
    [5, 'Nobody answers at'],
    [6, 'A tip'],
  ]);
});

test('finds the texts that the page uses', () => {
  const { used, own } = readPageWords(
    'a.js',
    "make('h1', {}, texts.title); fail(texts['absent'].replace('{a}', b));",
  );
  expect([...used]).toEqual(['title', 'absent']);
  expect(own).toEqual([]);
});

test('fails for a text file without its object', () => {
  expect(() => readShellTexts('const WORDS = {};')).toThrow('no object TEXTS');
});
