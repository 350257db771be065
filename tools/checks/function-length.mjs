/**
 * No function has more than 100 lines, nested functions included.
 * tools/function-length-exceptions.json can list exceptions by file and name with their length. The
 * list may only shrink: an unnecessary entry, or a listed function that grew, fails too.
 */
import { parseSync, Visitor } from 'oxc-parser';
import { isSourceFile, isTestFile, listProjectFiles, readProjectFile } from '../source-files.mjs';
import { nameOf } from '../syntax.mjs';

const LIMIT_LINES = 100;
const LIST = 'tools/function-length-exceptions.json';

/** Offsets of the lines of a text. */
const lineStarts = source => [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];

/** Lengths of a file's long functions by name; an anonymous function is named by its line. */
export function findLongFunctions(file, source, limitLines = LIMIT_LINES) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const starts = lineStarts(source);
  const lineAt = offset => starts.findLastIndex(start => start <= offset) + 1;
  const names = new Map();
  const found = {};
  const check = node => {
    const line = lineAt(node.start);
    const lines = lineAt(node.end) - line + 1;
    if (lines <= limitLines) return;
    const name = (node.id && nameOf(node.id)) ?? names.get(node) ?? `line ${line}`;
    found[`${file}: ${name}`] = lines;
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => init && names.set(init, nameOf(id)),
    Property: ({ key, value }) => names.set(value, nameOf(key)),
    MethodDefinition: ({ key, value }) => names.set(value, nameOf(key)),
    FunctionDeclaration: check,
    FunctionExpression: check,
    ArrowFunctionExpression: check,
  }).visit(program);
  return found;
}

/** Compares lengths with the exceptions. Both map `file: name` to a number of lines. */
export function findLengthProblems(lengths, exceptions, limitLines = LIMIT_LINES) {
  const problems = [];
  for (const [name, lines] of Object.entries(lengths)) {
    const allowed = exceptions[name] ?? limitLines;
    if (lines > allowed)
      problems.push(`${name} has ${lines} lines; at most ${allowed} are allowed. Split it.`);
  }
  for (const [name, allowed] of Object.entries(exceptions)) {
    const lines = lengths[name];
    if (lines === undefined)
      problems.push(`${LIST} names ${name}, which is gone or short enough. Remove the entry.`);
    else if (lines < allowed)
      problems.push(`${LIST} allows ${allowed} lines for ${name}, which has ${lines}. Lower the entry.`);
  }
  return problems;
}

/** Lengths of all long functions except in tests. */
const listLongFunctions = () =>
  Object.assign(
    {},
    ...listProjectFiles()
      .filter(file => isSourceFile(file) && !isTestFile(file) && /^(apps|packages)\/[^/]+\/src\//.test(file))
      .map(file => findLongFunctions(file, readProjectFile(file))),
  );

export const checkFunctionLengths = () =>
  findLengthProblems(listLongFunctions(), JSON.parse(readProjectFile(LIST)));
