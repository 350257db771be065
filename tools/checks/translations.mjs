/**
 * Checks the texts of the web client (docs/adr/0011-sentences-as-message-keys.md): every message
 * passed to `t`, `tAs` or `term` is in every catalog with the same placeholders and all plural
 * forms of the language; no catalog has an unused message; the template for translators is up to
 * date; and no visible text bypasses these calls. Reads syntax trees.
 */
import { parseSync, Visitor } from 'oxc-parser';
import {
  catalogCodes,
  catalogFile,
  DESCRIPTIONS,
  findLanguageProblems,
  readMessages,
  TEMPLATE,
  writeMessages,
} from '../i18n/catalogs.mjs';
import { findTranslationProblems as findProblemsOf, findSyntaxProblems } from '../i18n/icu.mjs';
import { writePo } from '../i18n/po-files.mjs';
import { root } from '../run-command.mjs';
import { isTestFile, listProjectFiles, readProjectFile } from '../source-files.mjs';
import { literalOf, nameOf } from '../syntax.mjs';

/**
 * Whether a missing translation fails the check. May be false temporarily while a screen is being
 * written.
 */
const MUST_BE_COMPLETE = true;

/** Attributes and properties whose text is visible or read aloud. */
const VISIBLE =
  /^(aria-label|aria-description|aria-roledescription|aria-valuetext|title|label|placeholder|alt|text|hint|detail|description|countLabel|empty|confirmLabel|cancelLabel|noun|note)$/;

/**
 * Texts that are identical in every language, texts that the specification fixes, and texts of sent
 * mail.
 */
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

/**
 * Reports whether a literal is text for people: it contains a character of a script and
 * is not a class name, path or program keyword.
 */
const isWords = text =>
  /\p{L}/u.test(text) && !SAME_EVERYWHERE.has(text.trim()) && /[\s\p{Lu}…]/u.test(text.trim());

/**
 * Returns the literal texts that an expression may evaluate to: itself, or those of its branches.
 */
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
 * The texts of one file: translated messages, visible texts outside of the calls, and problems with
 * the calls themselves.
 * @typedef {object} Words
 * @property {{ key: string, meaning: string, text: string, line: number }[]} messages
 * @property {{ text: string, line: number, kind: string, node: { start: number, end: number } }[]}
 * visible
 * @property {string[]} problems
 */

/** Reads the texts of one file. */
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
      if (texts.every(text => text !== undefined))
        found.messages.push({
          key: texts.join('|'),
          meaning: name === 'tAs' ? (texts[0] ?? '') : '',
          text: texts.at(-1) ?? '',
          line,
        });
      else if (name !== 't' || parts[0]?.type === 'TemplateLiteral')
        found.problems.push(`${file}:${line}: ${name}() takes a string literal`);
      if (depth === 0 && name !== 'term')
        found.problems.push(`${file}:${line}: ${name}() runs before the catalog is loaded; use term()`);
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
  // Class names and other attributes are expressions too; only visible or audible ones count.
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

/** Returns the differences between the messages in use and one catalog file. */
export function findCatalogProblems(name, catalog, keys) {
  const problems = [];
  const language = name.slice(0, -'.json'.length);
  for (const key of keys)
    if (catalog[key] === undefined || catalog[key] === '')
      problems.push(`${name} has no translation of “${key}”`);
  for (const [key, text] of Object.entries(catalog)) {
    if (!keys.has(key)) problems.push(`${name} translates “${key}”, which is not used`);
    if (text !== '')
      problems.push(...findProblemsOf(key, text, language).map(one => `${name}: “${key}” ${one}`));
  }
  return problems;
}

/**
 * API error messages and the password rules: both ends have the English text, the client translates
 * it.
 */
const MESSAGES_OF_BOTH_ENDS = /^packages\/contract\/src\/core\/(errors|limits)\.ts$/;

/** Returns the texts of `message: '…'` in a file. */
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

/**
 * Returns the texts of the web client: the messages in use with the files that use them, and the
 * problems of the sources.
 */
export function readClient(base = root) {
  /** @type {Map<string, import('../i18n/po-files.mjs').Message>} */
  const messages = new Map();
  /** @type {string[]} */
  const problems = [];
  /** @type {string[]} */
  const visible = [];
  const use = ({ key, meaning, text }, file) => {
    /** @type {import('../i18n/po-files.mjs').Message} */
    const message = messages.get(key) ?? { key, meaning, text, files: [] };
    if (!message.files.includes(file)) message.files.push(file);
    messages.set(key, message);
  };
  for (const file of listProjectFiles(base)) {
    if (MESSAGES_OF_BOTH_ENDS.test(file))
      for (const text of readMessageProperties(file, readProjectFile(file, base)))
        use({ key: text, meaning: '', text }, file);
    if (!/^apps\/web\/src\/.*\.tsx?$/.test(file) || isTestFile(file)) continue;
    const words = readWords(file, readProjectFile(file, base));
    for (const message of words.messages) use(message, file);
    problems.push(...words.problems);
    if (!FIXED_ENGLISH.test(file))
      for (const one of words.visible)
        visible.push(`${file}:${one.line}: “${one.text.replace(/\s+/g, ' ')}” is not passed to t()`);
  }
  return { keys: new Set(messages.keys()), messages, problems, visible };
}

/** Returns the generated files that are out of date: `npm run i18n:extract` updates them. */
function findStaleFiles(messages, descriptions, base) {
  const files = [...catalogCodes(base).map(catalogFile), DESCRIPTIONS];
  const problems = files
    .filter(file => readProjectFile(file, base) !== writeMessages(readMessages(file, base)))
    .map(file => `${file} is not sorted by key; run npm run i18n:extract`);
  if (readProjectFile(TEMPLATE, base) !== writePo(messages.values(), descriptions))
    problems.push(`${TEMPLATE} is out of date; run npm run i18n:extract`);
  return problems;
}

/**
 * Returns all problems; with `isComplete` false, only those that a later translation cannot fix.
 */
export function findTranslationProblems(isComplete = MUST_BE_COMPLETE, base = root) {
  if (!isComplete) return [];
  const { keys, messages, problems, visible } = readClient(base);
  const descriptions = readMessages(DESCRIPTIONS, base);
  const codes = catalogCodes(base);
  const english = [...messages.values()].flatMap(({ text, files }) =>
    findSyntaxProblems(text).map(problem => `${files[0]}: “${text}” ${problem}`),
  );
  const translated = codes.flatMap(code =>
    findCatalogProblems(`${code}.json`, readMessages(catalogFile(code), base), keys),
  );
  const described = Object.keys(descriptions)
    .filter(key => !keys.has(key))
    .map(key => `${DESCRIPTIONS} describes “${key}”, which is not used`);
  return [
    ...problems,
    ...visible,
    ...english,
    ...findLanguageProblems(codes),
    ...translated,
    ...described,
    ...findStaleFiles(messages, descriptions, base),
  ];
}

export function checkTranslations() {
  return findTranslationProblems();
}
