/**
 * Comments and documents in 100 columns. Code is the formatter's business. Tables, headings, code
 * and lines that have no place to break at, such as one long address, may be wider.
 */
import { isSourceFile, listProjectFiles, readProjectFile } from '../../source-files.mjs';
import { findCountProblems } from './counts.mjs';
import { readProse } from './texts.mjs';

export const WIDTH_COUNTS = 'tools/prose-widths.json';
const WIDTH = 100;

/** What tools read in comments: their lines stay as they are. */
const DIRECTIVE =
  /biome-ignore|@ts-|eslint|@vite-ignore|@__PURE__|#__PURE__|<reference |cspell:(?:dis|en|ign|word)|v8 ignore/;
/** Marks at the beginning of a line, which belong to its first word. */
const MARKS = /^\s*(?:\{?\/\*\*?|\*|\/\/+|>)?\s*(?:[-*+]|\d+[.)]|@\w+)?\s*/;

/** An example, a drawing or columns in a comment: indented, or with several blanks in a row. */
const isDrawing = line => /^\s*(?:\*|\/\/) {3,}\S|^\s*(?:\*|\/\/).*\S {2,}\S/.test(line);

/**
 * Whether a line is too wide and has a blank, outside code and types, where it could be broken in
 * time.
 */
export function isTooWide(line) {
  if ([...line].length <= WIDTH || DIRECTIVE.test(line)) return false;
  const [marks] = line.match(MARKS) ?? [''];
  const solid = line
    .slice(marks.length)
    .trimEnd()
    .replace(/(`+)[^`]*\1|\{[^}]*\}?/g, code => code.replace(/\s/g, '_'));
  const at = solid.indexOf(' ');
  return at > 0 && at + marks.length <= WIDTH && !isDrawing(line);
}

/**
 * Lines of a document that hold sentences: neither code nor tables, headings, HTML or link
 * addresses.
 */
function documentLines(source) {
  let isCode = false;
  return source.split('\n').map(line => {
    const isFence = /^\s*(```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return isFence || isCode || /^\s*(\||#+ |<|\[[^\]]+\]: )/.test(line) ? '' : line;
  });
}

/** Lines that are comment and nothing else. */
function commentLines(file, source) {
  const all = source.split('\n');
  const isComment = new Set();
  let line = 0;
  let at = 0;
  for (const { kind, start, text } of readProse(file, source)) {
    if (kind !== 'comment') continue;
    if (start < at) [line, at] = [0, 0];
    for (; at + all[line].length < start; line += 1) at += all[line].length + 1;
    const isAlone = /^\s*\{?$/.test(source.slice(at, start));
    const end = start + text.length;
    const last = line + text.split('\n').length - 1;
    const isLastAlone = /^\s*\}?\s*(\n|$)/.test(source.slice(end, end + 200));
    for (let one = isAlone ? line : line + 1; one <= (isLastAlone ? last : last - 1); one += 1)
      isComment.add(one);
  }
  return all.map((one, index) => (isComment.has(index) ? one : ''));
}

/** Numbers of the lines of a file that are too wide. */
export function findWideLines(file, source) {
  const lines = file.endsWith('.md') ? documentLines(source) : commentLines(file, source);
  return lines.flatMap((line, index) => (isTooWide(line) ? [index + 1] : []));
}

/** @returns {Record<string, string[]>} by file */
function judgeWidths() {
  const faults = {};
  for (const file of listProjectFiles()) {
    if (!isSourceFile(file) && !/\.(md|css)$/.test(file)) continue;
    const wide = findWideLines(file, readProjectFile(file));
    if (wide.length > 0)
      faults[file] = wide.map(line => `${file}:${line}: prose in more than ${WIDTH} columns`);
  }
  return faults;
}

/** How many lines of each file are too wide now. */
export const countWideLines = () =>
  Object.fromEntries(Object.entries(judgeWidths()).map(([file, { length }]) => [file, length]));

export const checkProseWidth = () =>
  findCountProblems(judgeWidths(), JSON.parse(readProjectFile(WIDTH_COUNTS)), WIDTH_COUNTS);
