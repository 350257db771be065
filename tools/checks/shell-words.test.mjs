// The canary of the check of the shell's words: each rule is broken once, and the check must say exactly that.
import { expect, test } from 'vitest';
import { readProjectFile } from '../source-files.mjs';
import { findShellProblems, findTextProblems, readPageWords, readShellTexts } from './shell-words.mjs';

const languages = ['ar', 'de', 'es', 'fr'];
const source = readProjectFile('apps/mobile/page/texts.js');
function broken(change) {
  const texts = readShellTexts(source);
  change(texts);
  return findTextProblems(texts, languages);
}

test('the words of the tree hold together', () => {
  expect(findShellProblems()).toEqual([]);
  expect(broken(() => undefined)).toEqual([]);
});

test.each([
  ['no words in “fr”', texts => delete texts.fr],
  ['words in “it”, of which there is no catalogue', texts => Object.assign(texts, { it: { ...texts.de } })],
  ['“de” has no “busy”', texts => delete texts.de.busy],
  ['“es” has no “title”', texts => Object.assign(texts.es, { title: ' ' })],
  ['“ar” has “extra”, which “en” has not', texts => Object.assign(texts.ar, { extra: 'x' })],
  [
    'the words in braces differ in “absent” of “fr”',
    texts => Object.assign(texts.fr, { absent: 'Aucun {adresse}' }),
  ],
  ['“label” of “de” is not translated', texts => Object.assign(texts.de, { label: texts.en.label })],
])('it says: %s', (problem, change) => {
  expect(broken(change)).toEqual([`apps/mobile/page/texts.js: ${problem}`]);
});

test('words that stand in the page itself are found wherever people would read them', () => {
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

test('what the page uses of the texts is known', () => {
  const { used, own } = readPageWords(
    'a.js',
    "make('h1', {}, texts.title); fail(texts['absent'].replace('{a}', b));",
  );
  expect([...used]).toEqual(['title', 'absent']);
  expect(own).toEqual([]);
});

test('a file of texts without its object fails instead of passing', () => {
  expect(() => readShellTexts('const WORDS = {};')).toThrow('no object TEXTS');
});
