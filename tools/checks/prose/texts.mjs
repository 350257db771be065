/**
 * Where people read English in a file: comments, texts of the program, names of tests, paragraphs
 * of documents. A text has the length of its place in the file, so that an offset in it is one in
 * the file; what is no prose is blank. Fixtures, catalogs and generated files are left out.
 */
import { parseSync, Visitor } from 'oxc-parser';
import { isSourceFile, isTestFile } from '../../source-files.mjs';
import { nameOf } from '../../syntax.mjs';

/**
 * @typedef {object} ProseText
 * @property {'comment' | 'text' | 'test name' | 'document' | 'name'} kind a name is one that the
 * source declares
 * @property {number} start offset in the file
 * @property {string} text
 */

const blank = text => text.replace(/[^\n]/g, ' ');
/** Code in backticks, addresses and names of files are no prose. */
const withoutCode = text =>
  text
    .replace(/(`+)[^`][\s\S]*?\1/g, blank)
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s)>\]}"']+/gi, blank)
    .replace(/[\w./-]*\w\.(?:tsx?|mjs|md|json|css|html)\b(?:#[\w-]+)?/g, blank);

/** Ends a sentence at each empty line, list item and table cell: these begin a new one. */
const endSentences = text =>
  text
    .replace(/^(\s*)(?:[-*]|\d+\.)(?=\s)/gm, mark => `${mark.slice(0, -1)}.`)
    .replace(/\n(?=[ \t]*\n)/g, '.')
    .replace(/\|/g, '.');

/**
 * A Markdown file without its code, addresses and marks.
 * @returns {ProseText[]}
 */
export function readDocument(source) {
  const text = source
    .replace(/^( *)(```|~~~)[\s\S]*?^\1\2.*$/gm, blank)
    .replace(/\]\([^)\s]*\)/g, blank)
    .replace(/<!--|-->/g, blank)
    .replace(/^#+(?= )/gm, mark => `.${mark.slice(1)}`);
  return [{ kind: 'document', start: 0, text: endSentences(withoutCode(text)) }];
}

/** The inside of a comment: marks at the beginnings of lines are blank. */
const commentText = text =>
  endSentences(
    withoutCode(
      text
        .replace(/^(\s*)(\/\*\*?|\/\/+|\*\/|\*(?!\w)|#+)/gm, (_, indent, mark) => indent + blank(mark))
        .replace(/\*\/$/, '  '),
    ),
  );

/**
 * Comments as one text each; lines of `//` that follow each other are one.
 * @returns {ProseText[]}
 */
function mergeComments(source, comments) {
  const merged = [];
  for (const { type, start, end } of comments) {
    const last = merged.at(-1);
    const isNext =
      last?.type === 'Line' && type === 'Line' && /^\n[ \t]*$/.test(source.slice(last.end, start));
    if (isNext) last.end = end;
    else merged.push({ type, start, end });
  }
  return merged.map(({ start, end }) => ({
    kind: 'comment',
    start,
    text: commentText(source.slice(start, end)),
  }));
}

function isTestCall(callee) {
  if (callee.type === 'Identifier') return /^(it|test|describe)$/.test(callee.name);
  if (callee.type === 'MemberExpression') return isTestCall(callee.object);
  return callee.type === 'CallExpression' && isTestCall(callee.callee);
}

/** Texts that people read even where they are one word. */
const isMessageCall = callee => callee.type === 'Identifier' && /^(t|tAs|term)$/.test(callee.name);

/** The words of a template without what is put into them. */
function templateText(node, source) {
  let text = source.slice(node.start, node.end);
  for (const { start, end } of node.expressions)
    text = text.slice(0, start - node.start) + blank(source.slice(start, end)) + text.slice(end - node.start);
  return text.replace(/\$\{|\}|`|\\[nrt]/g, blank);
}

/**
 * Texts and names of tests in one source file. Of a test, only the names: all else in it is example
 * mail.
 * @returns {ProseText[]}
 */
function readStrings(file, source, program) {
  /** @type {ProseText[]} */
  const texts = [];
  const see = (kind, node, text) => texts.push({ kind, start: node.start, text: withoutCode(text) });
  const textOf = node => {
    if (node?.type === 'TemplateLiteral') return templateText(node, source);
    return node?.type === 'Literal' && typeof node.value === 'string'
      ? source.slice(node.start, node.end).replace(/^.|.$|\\[nrt]/g, blank)
      : null;
  };
  if (isTestFile(file)) {
    new Visitor({
      CallExpression: ({ callee, arguments: [first] }) => {
        const text = isTestCall(callee) ? textOf(first) : null;
        if (text !== null) see('test name', first, text);
      },
    }).visit(program);
    return texts;
  }
  const quiet = [];
  const hush = ({ start, end }) => quiet.push([start, end]);
  const seeWords = node => {
    const text = textOf(node);
    if (text !== null && /\p{L}\s+\p{L}/u.test(text)) see('text', node, text);
  };
  new Visitor({
    TaggedTemplateExpression: ({ quasi }) => hush(quasi),
    JSXAttribute: node => /^(className|class|d|style)$/.test(nameOf(node.name) ?? '') && hush(node),
    Literal: seeWords,
    TemplateLiteral: seeWords,
    JSXText: node => see('text', node, source.slice(node.start, node.end)),
    CallExpression: ({ callee, arguments: given }) => {
      if (!isMessageCall(callee)) return;
      for (const one of given) {
        const text = textOf(one);
        if (text !== null && !/\s/.test(text.trim())) see('text', one, text);
      }
    },
  }).visit(program);
  return texts.filter(({ start }) => !quiet.some(([from, to]) => from <= start && start < to));
}

/**
 * Names that a source declares; those that it merely uses are declared elsewhere.
 * @returns {ProseText[]}
 */
function readNames(program) {
  /** @type {ProseText[]} */
  const names = [];
  const see = node => {
    const text = node ? nameOf(node) : undefined;
    if (text !== undefined) names.push({ kind: 'name', start: node.start, text });
  };
  const seeKey = ({ key, computed }) => !computed && see(key);
  new Visitor({
    VariableDeclarator: ({ id }) => see(id),
    FunctionDeclaration: ({ id, params }) => [id, ...params].forEach(see),
    ArrowFunctionExpression: ({ params }) => params.forEach(see),
    ClassDeclaration: ({ id }) => see(id),
    TSTypeAliasDeclaration: ({ id }) => see(id),
    Property: seeKey,
    TSPropertySignature: seeKey,
  }).visit(program);
  return names;
}

/** @returns {ProseText[]} */
function readProgram(file, source) {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  return [...mergeComments(source, comments), ...readStrings(file, source, program), ...readNames(program)];
}

const COMMENTS_BY_ENDING = [
  [/\.(css|swift|java|gradle)$/, /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*(?:\n[ \t]*\/\/.*)*/g],
  [
    /\.(ya?ml|sh|conf|service|timer|example|properties|pro)$|(^|\/)(run|Dockerfile|\.gitignore|\.dockerignore|\.npmrc)$/,
    /(?<=^|\s)#(?!!).*(?:\n[ \t]*#.*)*/g,
  ],
  [/\.(html|xml|svg)$/, /<!--[\s\S]*?-->/g],
];

const GENERATED =
  /^apps\/web\/src\/locales\/|^docs\/(openapi\.json|schema\.sql)$|^package-lock\.json$|^LICENSE$|^apps\/mobile\/(android\/gradlew|.*\.pbxproj)/;

/** @returns {ProseText[]} */
function readTexts(file, source) {
  if (GENERATED.test(file)) return [];
  if (file.endsWith('.md')) return readDocument(source);
  if (isSourceFile(file) || file.endsWith('.d.ts')) return readProgram(file, source);
  const found = COMMENTS_BY_ENDING.find(([ending]) => ending.test(file));
  if (found === undefined) return [];
  return [...source.matchAll(found[1])].map(({ index, 0: text }) => ({
    kind: 'comment',
    start: index,
    text: commentText(text),
  }));
}

/**
 * What was read, for the next check of the same run. @type {Map<string,
 * { source: string, texts: ProseText[] }>}
 */
const remembered = new Map();

/**
 * Everything in a file that people read as English; nothing for a file that holds none.
 * @returns {ProseText[]}
 */
export function readProse(file, source) {
  const known = remembered.get(file);
  if (known !== undefined && known.source === source) return known.texts;
  const texts = readTexts(file, source);
  remembered.set(file, { source, texts });
  return texts;
}
