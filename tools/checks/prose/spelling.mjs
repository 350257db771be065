/**
 * Spelling in American English, by cspell: the texts of texts.mjs and the names that sources
 * declare. Words that no dictionary has are in tools/dictionary.txt; cspell.json says what is left
 * out, to editors as well. British spellings are left to plain-english.mjs, which counts them.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../run-command.mjs';
import { isSourceFile, listProjectFiles, readProjectFile } from '../../source-files.mjs';
import { BRITISH_RULE } from './rules.mjs';
import { readProse } from './texts.mjs';

const DICTIONARY = 'tools/dictionary.txt';
const CONFIG = 'cspell.json';
/** How many places of one word are named. */
const SHOWN_MAX = 3;

/** Words, and names in camel case as they are. What is not ASCII is a name or another language. */
const WORD = /[\p{L}\p{M}\p{N}_'’]+/gu;
const isEnglishWord = word => /^[a-zA-Z_'’]{4,}$/.test(word);

/**
 * The words of texts, each once.
 * @param {import('./texts.mjs').ProseText[]} texts
 * @returns {Map<string, number>} where each is first
 */
export function listWords(texts) {
  const words = new Map();
  for (const { start, text } of texts)
    for (const { 0: found, index } of text.matchAll(WORD)) {
      const word = found.replace(/^['’]+|['’]+$/g, '');
      if (isEnglishWord(word) && !words.has(word)) words.set(word, start + index);
    }
  return words;
}

/**
 * Problems of the dictionary itself: sorted, so that additions of two people seldom meet in one
 * place.
 */
export function findDictionaryProblems(text) {
  const words = text.split('\n').slice(0, -1);
  const sorted = [...new Set(words)].sort();
  const at = words.findIndex((word, index) => word !== sorted[index]);
  if (at < 0) return [];
  return [`${DICTIONARY}:${at + 1}: not sorted. Run: LC_ALL=C sort -u -o ${DICTIONARY} ${DICTIONARY}`];
}

/**
 * Those of the given words that cspell has in no dictionary, as parts of a name where only a part
 * is unknown. All words are one document of a word a line: most of the time of a document is spent
 * on its settings.
 * @param {string[]} words
 * @returns {Promise<Map<string, string>>} word to its unknown part
 */
export async function findUnknownWords(words) {
  const { spellCheckDocument } = await import('cspell-lib');
  const uri = pathToFileURL(path.join(root, 'words.txt')).href;
  const { issues } = await spellCheckDocument(
    { uri, text: words.join('\n'), languageId: 'plaintext', locale: 'en-US' },
    { configFile: path.join(root, CONFIG), generateSuggestions: false },
    { maxNumberOfProblems: words.length, maxDuplicateProblems: words.length },
  );
  const british = new RegExp(BRITISH_RULE.pattern, 'i');
  const unknown = new Map();
  for (const { line, text } of issues) if (!british.test(text)) unknown.set(line.text.trim(), text);
  return unknown;
}

export async function checkSpelling() {
  const isInstalled = await import('cspell-lib').then(
    () => true,
    () => false,
  );
  if (!isInstalled) return ['cspell-lib is not installed. Run: npm ci'];
  const { ignorePaths } = JSON.parse(readProjectFile(CONFIG));
  const places = new Map();
  for (const file of listProjectFiles()) {
    if (!isSourceFile(file) && !file.endsWith('.md')) continue;
    if (ignorePaths.some(pattern => path.matchesGlob(file, pattern))) continue;
    const source = readProjectFile(file);
    for (const [word, offset] of listWords(readProse(file, source))) {
      const known = places.get(word) ?? [];
      if (known.length < SHOWN_MAX) known.push({ file, source, offset });
      places.set(word, known);
    }
  }
  const problems = findDictionaryProblems(readProjectFile(DICTIONARY));
  for (const [word, part] of await findUnknownWords([...places.keys()]))
    for (const { file, source, offset } of places.get(word))
      problems.push(
        `${file}:${source.slice(0, offset).split('\n').length}: “${part}” is in no dictionary; correct it, or add it to ${DICTIONARY}`,
      );
  return problems;
}
