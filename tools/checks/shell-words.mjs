/**
 * The words of the page that a phone's shell shows before the web client is there (apps/mobile/page): they stand in texts.js
 * in every language that the client has a catalogue of, all of them with the same words in braces; each is used, and no
 * words stand outside of it. Likewise what phones themselves show: notifications, and why a permission is asked for. Reads
 * syntax trees, runs nothing.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { root } from '../run-command.mjs';
import { readProjectFile } from '../source-files.mjs';
import { literalOf, nameOf } from '../syntax.mjs';
import { namesIn } from './translations.mjs';

const PAGE = 'apps/mobile/page';
const TEXTS = `${PAGE}/texts.js`;
/** What the systems themselves show; tests of the shell see to their places in both projects. */
const NATIVE_TEXTS = ['apps/mobile/push-texts.json', 'apps/mobile/permission-texts.json'];
const CATALOGS = 'apps/web/src/locales';
/** What the sources are written in; the catalogues have the others. */
const SOURCE_LANGUAGE = 'en';

/** Calls that put their texts into the page. */
const SHOWING = ['make', 'append', 'prepend', 'replaceChildren', 'fail', 'alert', 'setAttribute'];

const wordOf = node => nameOf(node) ?? literalOf(node);

/**
 * The properties of an object by their names; none of anything else.
 * @param {import('oxc-parser').Expression | null} node
 * @returns {[name: string | undefined, value: import('oxc-parser').Expression][]}
 */
const propertiesOf = node =>
  node?.type === 'ObjectExpression'
    ? node.properties.flatMap(one => (one.type === 'Property' ? [[wordOf(one.key), one.value]] : []))
    : [];

/**
 * The name of the member that an expression means; undefined of other expressions.
 * @param {import('oxc-parser').Expression | import('oxc-parser').AssignmentTarget} node
 */
const memberOf = node => (node.type === 'MemberExpression' ? nameOf(node.property) : undefined);

/** The texts by language out of the source of texts.js: `{ en: { title: '…' } }`. Throws when there is no such object. */
export function readShellTexts(source) {
  /** @type {Record<string, Record<string, string | null>> | null} */
  let found = null;
  new Visitor({
    VariableDeclarator: node => {
      if (nameOf(node.id) !== 'TEXTS' || node.init?.type !== 'ObjectExpression') return;
      found = Object.fromEntries(
        propertiesOf(node.init).map(([language, words]) => [
          language,
          Object.fromEntries(propertiesOf(words).map(([key, text]) => [key, literalOf(text) ?? null])),
        ]),
      );
    },
  }).visit(parseSync(TEXTS, source).program);
  if (found === null) throw new Error(`${TEXTS} has no object TEXTS`);
  return found;
}

/** Differences between the languages of the texts of a file, and between them and those of the catalogues. */
export function findTextProblems(texts, languages, file = TEXTS) {
  const wanted = [SOURCE_LANGUAGE, ...languages];
  /** @type {string[]} */
  const problems = [];
  const say = problem => problems.push(`${file}: ${problem}`);
  for (const language of wanted) if (texts[language] === undefined) say(`no words in “${language}”`);
  for (const language of Object.keys(texts))
    if (!wanted.includes(language)) say(`words in “${language}”, of which there is no catalogue`);
  const source = texts[SOURCE_LANGUAGE] ?? {};
  for (const [language, words] of Object.entries(texts)) {
    for (const key of Object.keys(source)) if (!words[key]?.trim?.()) say(`“${language}” has no “${key}”`);
    for (const [key, text] of Object.entries(words)) {
      if (source[key] === undefined) say(`“${language}” has “${key}”, which “${SOURCE_LANGUAGE}” has not`);
      else if (namesIn(text ?? '')?.join() !== namesIn(source[key])?.join())
        say(`the words in braces differ in “${key}” of “${language}”`);
      else if (language !== SOURCE_LANGUAGE && text === source[key])
        say(`“${key}” of “${language}” is not translated`);
    }
  }
  return problems;
}

/** What one file of the page uses of the texts, and the words that it has of its own: `[{ text, line }]`. */
export function readPageWords(file, source) {
  const used = new Set();
  const own = [];
  const see = node => {
    const text =
      node.type === 'TemplateLiteral' ? node.quasis.map(one => one.value.cooked).join('') : node.value;
    // A sentence, or a word that begins as one: what else is in quotes are names of elements, events and classes.
    if (typeof text === 'string' && /^\s*\p{Lu}[\p{L}’']|\p{L}\s+\p{L}/u.test(text))
      own.push({ text: text.trim(), line: source.slice(0, node.start).split('\n').length });
  };
  /** Where texts become visible: what is put into an element, and what it says to readers. */
  const seeAll = node => {
    if (node?.type === 'Literal' || node?.type === 'TemplateLiteral') see(node);
    if (node?.type === 'ConditionalExpression') [node.consequent, node.alternate].map(seeAll);
    if (node?.type === 'LogicalExpression') [node.left, node.right].map(seeAll);
  };
  new Visitor({
    MemberExpression: node => {
      if (nameOf(node.object) === 'texts') used.add(wordOf(node.property));
    },
    CallExpression: node => {
      const callee = memberOf(node.callee) ?? nameOf(node.callee);
      if (!SHOWING.includes(callee ?? '')) return;
      for (const argument of node.arguments) seeAll(argument);
    },
    AssignmentExpression: node => {
      const target = memberOf(node.left);
      if (/^(textContent|innerText|innerHTML|title|placeholder|ariaLabel)$/.test(target ?? ''))
        seeAll(node.right);
    },
    Property: node => {
      if (/^(aria-label|title|placeholder|alt)$/.test(wordOf(node.key) ?? '')) seeAll(node.value);
    },
  }).visit(parseSync(file, source).program);
  return { used, own };
}

/** All problems of the words of the shell. */
export function findShellProblems(base = root) {
  const languages = readdirSync(path.join(base, CATALOGS))
    .filter(name => name.endsWith('.json'))
    .map(name => name.slice(0, -'.json'.length));
  const texts = readShellTexts(readProjectFile(TEXTS, base));
  const problems = findTextProblems(texts, languages);
  for (const file of NATIVE_TEXTS)
    problems.push(...findTextProblems(JSON.parse(readProjectFile(file, base)), languages, file));
  const used = new Set();
  for (const name of readdirSync(path.join(base, PAGE)).filter(
    one => one.endsWith('.js') && one !== path.basename(TEXTS),
  )) {
    const file = `${PAGE}/${name}`;
    const words = readPageWords(file, readProjectFile(file, base));
    for (const key of words.used) used.add(key);
    for (const { text, line } of words.own)
      problems.push(`${file}:${line}: “${text}” does not stand in texts.js`);
  }
  for (const key of used)
    if (texts[SOURCE_LANGUAGE]?.[key] === undefined)
      problems.push(`${PAGE} uses “${key}”, which texts.js has not`);
  for (const key of Object.keys(texts[SOURCE_LANGUAGE] ?? {}))
    if (!used.has(key)) problems.push(`${TEXTS}: “${key}” is used by nobody`);
  return problems;
}

export const checkShellWords = () => findShellProblems();
