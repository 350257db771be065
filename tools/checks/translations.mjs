/**
 * The words on the screens (docs/adr/0011-sentences-are-keys.md): every message that the web client hands to `t`, `tAs` or
 * `term` stands in every catalogue with the same words in braces, no catalogue holds a message that nobody uses, and no
 * visible text stands outside of these calls. Reads syntax trees; knows the catalogues of apps/web/src/locales.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { root } from '../run-command.mjs';
import { isTestFile, listProjectFiles, readProjectFile } from '../source-files.mjs';
import { literalOf, nameOf } from '../syntax.mjs';

const CATALOGS = 'apps/web/src/locales';

/** A text without its translations fails; while a screen is being written, this may say false for a while. */
const MUST_BE_COMPLETE = true;

/** Attributes and properties whose texts people see or hear. */
const VISIBLE =
  /^(aria-label|aria-description|aria-roledescription|aria-valuetext|title|label|placeholder|alt|text|hint|detail|description|countLabel|empty|confirmLabel|cancelLabel|noun|note)$/;

/** Texts that are the same in every language, those whose wording the specification fixes, and those of sent mail. */
const SAME_EVERYWHERE = new Set([
  'Keyfold',
  'Esc',
  'C',
  'Cc',
  'Bcc',
  '✓',
  'CALENDAR INVITATION',
  'RSVP failed',
]);
const FIXED_ENGLISH =
  /^apps\/web\/src\/(features\/admin\/|features\/calendar\/respond\.ts$|crypto\/|platform\/)/;

const lineAt = (source, offset) => source.slice(0, offset).split('\n').length;

/** A text that people would read as one: it holds a letter and is no class name, path or word of the program. */
const isWords = text =>
  /\p{L}/u.test(text) && !SAME_EVERYWHERE.has(text.trim()) && /[\s\p{Lu}…]/u.test(text.trim());

/** The literal texts that an expression may give: itself, or those of its branches. */
function literalsOf(node) {
  if (node === null || node === undefined) return [];
  if (node.type === 'Literal' && typeof node.value === 'string') return [node];
  if (node.type === 'TemplateLiteral') return [node];
  if (node.type === 'ConditionalExpression')
    return [...literalsOf(node.consequent), ...literalsOf(node.alternate)];
  if (node.type === 'LogicalExpression') return [...literalsOf(node.left), ...literalsOf(node.right)];
  return [];
}

const textOf = node =>
  node.type === 'TemplateLiteral' ? node.quasis.map(one => one.value.cooked).join('') : node.value;

/**
 * What one file says: messages that are translated, visible texts that stand outside, and problems with the calls themselves.
 * @typedef {object} Words
 * @property {{ key: string, line: number }[]} messages
 * @property {{ text: string, line: number, kind: string, node: { start: number, end: number } }[]} visible
 * @property {string[]} problems
 */

/** Reads what one file says. */
export function readWords(file, source) {
  const parsed = parseSync(file, source);
  /** @type {Words} */
  const found = { messages: [], visible: [], problems: [] };
  const see = (node, text, kind) => {
    if (isWords(text))
      found.visible.push({ text: text.trim(), line: lineAt(source, node.start), node, kind });
  };
  let depth = 0;
  const enter = () => {
    depth += 1;
  };
  const leave = () => {
    depth -= 1;
  };
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    CallExpression: node => {
      const name = node.callee.type === 'Identifier' ? node.callee.name : '';
      if (!['t', 'tAs', 'term'].includes(name)) return;
      const line = lineAt(source, node.start);
      const parts = node.arguments.slice(0, name === 'tAs' ? 2 : 1);
      const texts = parts.map(literalOf);
      if (texts.every(text => text !== undefined)) found.messages.push({ key: texts.join('|'), line });
      else if (name !== 't' || parts[0]?.type === 'TemplateLiteral')
        found.problems.push(`${file}:${line}: ${name}() takes a text in quotes, not a built one`);
      if (depth === 0 && name !== 'term')
        found.problems.push(`${file}:${line}: ${name}() runs before the catalogue is there; use term()`);
    },
    JSXText: node => see(node, node.value, 'text'),
    JSXExpressionContainer: node => {
      for (const one of literalsOf(node.expression)) see(one, textOf(one), 'expression');
    },
    JSXAttribute: node => {
      if (!VISIBLE.test(nameOf(node.name) ?? '') || node.value?.type !== 'Literal') return;
      see(node.value, node.value.value, 'attribute');
    },
    Property: node => {
      if (!VISIBLE.test(nameOf(node.key) ?? '')) return;
      for (const one of literalsOf(node.value)) see(one, textOf(one), 'property');
    },
  }).visit(parsed.program);
  // Class names and other attributes are expressions too; only those that people see or hear count.
  /** @type {[start: number, end: number][]} */
  const quiet = [];
  new Visitor({
    JSXAttribute: node => {
      if (!VISIBLE.test(nameOf(node.name) ?? '')) quiet.push([node.start, node.end]);
    },
  }).visit(parsed.program);
  found.visible = found.visible.filter(
    ({ node, kind }) =>
      kind === 'attribute' ||
      kind === 'property' ||
      !quiet.some(([start, end]) => start <= node.start && node.end <= end && kind === 'expression'),
  );
  return found;
}

/** The names in the braces of a message, those inside its cases included, sorted and each once. */
export function namesIn(message) {
  const names = new Set();
  const argument = /^\{\s*([^\s,{}]+)\s*(?:,\s*\w+\s*,|\})/;
  let depth = 0;
  const kinds = [];
  for (let at = 0; at < message.length; at++) {
    if (message[at] === '}') {
      depth -= 1;
      kinds.pop();
    } else if (message[at] === '{') {
      // Directly inside a choice stand labels and their cases; elsewhere a brace begins a name.
      const isCase = kinds.at(-1) === 'choice';
      const head = isCase ? null : argument.exec(message.slice(at));
      if (head !== null) names.add(head[1]);
      kinds.push(isCase ? 'case' : head?.[0].endsWith(',') ? 'choice' : 'name');
      depth += 1;
    }
  }
  return depth === 0 ? [...names].sort() : null;
}

/** Differences between the messages in use and one catalogue. */
export function findCatalogProblems(name, catalog, keys) {
  const problems = [];
  for (const key of keys)
    if (catalog[key] === undefined || catalog[key] === '')
      problems.push(`${name} has no translation of “${key}”`);
  for (const [key, text] of Object.entries(catalog)) {
    if (!keys.has(key)) problems.push(`${name} translates “${key}”, which nobody uses`);
    const [wanted, has] = [namesIn(key)?.join(), namesIn(text)?.join()];
    if (wanted !== has) problems.push(`${name}: the words in braces differ in “${key}”`);
  }
  return problems;
}

/** What calls answer when they fail, and the password's rules: both ends have the English, the client translates it. */
const MESSAGES_OF_BOTH_ENDS = /^packages\/contract\/src\/core\/(errors|limits)\.ts$/;

/** The texts of `message: '…'` in a file. */
export function readMessageProperties(file, source) {
  const texts = [];
  new Visitor({
    Property: node => {
      const text = nameOf(node.key) === 'message' ? literalOf(node.value) : undefined;
      if (text !== undefined) texts.push(text);
    },
  }).visit(parseSync(file, source).program);
  return texts;
}

/** Every text of the web client: the messages in use, and what is wrong in the sources. */
export function readClient(base = root) {
  const keys = new Set();
  const problems = [];
  const visible = [];
  for (const file of listProjectFiles(base)) {
    if (MESSAGES_OF_BOTH_ENDS.test(file))
      for (const text of readMessageProperties(file, readProjectFile(file, base))) keys.add(text);
    if (!/^apps\/web\/src\/.*\.tsx?$/.test(file) || isTestFile(file)) continue;
    const words = readWords(file, readProjectFile(file, base));
    for (const { key } of words.messages) keys.add(key);
    problems.push(...words.problems);
    if (!FIXED_ENGLISH.test(file))
      for (const one of words.visible)
        visible.push(`${file}:${one.line}: “${one.text.replace(/\s+/g, ' ')}” is not handed to t()`);
  }
  return { keys, problems, visible };
}

/** All problems; with `isComplete` false only those that no later translation will mend. */
export function findTranslationProblems(isComplete = MUST_BE_COMPLETE, base = root) {
  const { keys, problems, visible } = readClient(base);
  const catalogs = readdirSync(path.join(base, CATALOGS)).filter(name => name.endsWith('.json'));
  const missing = catalogs.flatMap(name =>
    findCatalogProblems(name, JSON.parse(readProjectFile(`${CATALOGS}/${name}`, base)), keys),
  );
  return isComplete ? [...problems, ...visible, ...missing] : [];
}

export function checkTranslations() {
  return findTranslationProblems();
}
