/**
 * Checks the texts of the page that a phone's shell shows before the web client is loaded
 * (apps/mobile/page): texts.js has all of them in every language of the client, with the same
 * placeholders; each is used, and the page has no other texts. The same applies to texts that
 * phones show: notifications and reasons for permissions. Reads syntax trees and runs nothing.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { SOURCE_LANGUAGE } from '../../apps/web/src/lib/languages.ts';
import { translatedLanguages } from '../i18n/catalogs.mjs';
import { namesIn } from '../i18n/icu.mjs';
import { root } from '../run-command.mjs';
import { readProjectFile } from '../source-files.mjs';
import { literalOf, nameOf } from '../syntax.mjs';

const PAGE = 'apps/mobile/page';
const TEXTS = `${PAGE}/texts.js`;
/**
 * Texts that the operating systems show. Tests of the shell check that both projects contain them.
 */
const NATIVE_TEXTS = ['apps/mobile/push-texts.json', 'apps/mobile/permission-texts.json'];

/** Calls that insert their texts into the page. */
const SHOWING = ['make', 'append', 'prepend', 'replaceChildren', 'fail', 'alert', 'setAttribute'];

const wordOf = node => nameOf(node) ?? literalOf(node);

/**
 * Returns the properties of an object by name; empty for any other node.
 * @param {import('oxc-parser').Expression | null} node
 * @returns {[name: string | undefined, value: import('oxc-parser').Expression][]}
 */
const propertiesOf = node =>
  node?.type === 'ObjectExpression'
    ? node.properties.flatMap(one => (one.type === 'Property' ? [[wordOf(one.key), one.value]] : []))
    : [];

/**
 * Returns the name of the member that an expression accesses; undefined for other expressions.
 * @param {import('oxc-parser').Expression | import('oxc-parser').AssignmentTarget} node
 */
const memberOf = node => (node.type === 'MemberExpression' ? nameOf(node.property) : undefined);

/**
 * Returns the texts by language from the source of texts.js: `{ en: { title: '…' } }`. Throws if
 * there is no such object.
 */
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

/**
 * Returns the differences between the languages of a file's texts, and between them and the
 * languages of the catalogs.
 */
export function findTextProblems(texts, languages, file = TEXTS) {
  const wanted = [SOURCE_LANGUAGE, ...languages];
  /** @type {string[]} */
  const problems = [];
  const say = problem => problems.push(`${file}: ${problem}`);
  for (const language of wanted) if (texts[language] === undefined) say(`no texts in “${language}”`);
  for (const language of Object.keys(texts))
    if (!wanted.includes(language)) say(`texts in “${language}”, which is not a language of the client`);
  const source = texts[SOURCE_LANGUAGE] ?? {};
  for (const [language, words] of Object.entries(texts)) {
    for (const key of Object.keys(source)) if (!words[key]?.trim?.()) say(`“${language}” has no “${key}”`);
    for (const [key, text] of Object.entries(words)) {
      if (source[key] === undefined) say(`“${language}” has “${key}”, which “${SOURCE_LANGUAGE}” lacks`);
      else if (namesIn(text ?? '')?.join() !== namesIn(source[key])?.join())
        say(`the placeholders of “${key}” differ in “${language}”`);
      else if (language !== SOURCE_LANGUAGE && text === source[key])
        say(`“${key}” is not translated in “${language}”`);
    }
  }
  return problems;
}

/** Returns which texts one file of the page uses, and its own visible text: `[{ text, line }]`. */
export function readPageWords(file, source) {
  const used = new Set();
  const own = [];
  const see = node => {
    const text =
      node.type === 'TemplateLiteral' ? node.quasis.map(one => one.value.cooked).join('') : node.value;
    // A sentence, or a word with a capital letter. Other literals are names of elements, events and
    // classes.
    if (typeof text === 'string' && /^\s*\p{Lu}[\p{L}’']|\p{L}\s+\p{L}/u.test(text))
      own.push({ text: text.trim(), line: source.slice(0, node.start).split('\n').length });
  };
  /** Visits the places where text becomes visible: element content, and text for screen readers. */
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

/** Returns all problems of the shell's texts. */
export function findShellProblems(base = root) {
  const texts = readShellTexts(readProjectFile(TEXTS, base));
  const problems = findTextProblems(texts, translatedLanguages);
  for (const file of NATIVE_TEXTS)
    problems.push(...findTextProblems(JSON.parse(readProjectFile(file, base)), translatedLanguages, file));
  const used = new Set();
  for (const name of readdirSync(path.join(base, PAGE)).filter(
    one => one.endsWith('.js') && one !== path.basename(TEXTS),
  )) {
    const file = `${PAGE}/${name}`;
    const words = readPageWords(file, readProjectFile(file, base));
    for (const key of words.used) used.add(key);
    for (const { text, line } of words.own) problems.push(`${file}:${line}: “${text}” is not in texts.js`);
  }
  for (const key of used)
    if (texts[SOURCE_LANGUAGE]?.[key] === undefined)
      problems.push(`${PAGE} uses “${key}”, which texts.js lacks`);
  for (const key of Object.keys(texts[SOURCE_LANGUAGE] ?? {}))
    if (!used.has(key)) problems.push(`${TEXTS}: “${key}” is not used`);
  return problems;
}

export const checkShellWords = () => findShellProblems();
