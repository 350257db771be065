/**
 * Functions over 100 lines, with the functions in them. Those that exist already may be listed in
 * tools/function-length-exceptions.json by file and name with their length; the list may only shrink, so an entry that is no
 * longer needed, or a function that grew, fails as well.
 */
import { parseSync, Visitor } from 'oxc-parser';
import { isSourceFile, isTestFile, listProjectFiles, readProjectFile } from '../source-files.mjs';
import { nameOf } from '../syntax.mjs';

const LIMIT_LINES = 100;
const LIST = 'tools/function-length-exceptions.json';

/** Where the lines of a text begin. */
const lineStarts = source => [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];

/** Lines of the functions of a file that are too long, by their names; one without a name goes by its place. */
export function findLongFunctions(file, source, limitLines = LIMIT_LINES) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const starts = lineStarts(source);
  const lineAt = offset => starts.findLastIndex(start => start <= offset) + 1;
  const names = new Map();
  const found = {};
  const judge = node => {
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
    FunctionDeclaration: judge,
    FunctionExpression: judge,
    ArrowFunctionExpression: judge,
  }).visit(program);
  return found;
}

/** Compares lengths with the list of exceptions. Both are plain objects of `file: name` to number of lines. */
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

/** Lengths of all that is too long in the program; tests tell long stories. */
const listLongFunctions = () =>
  Object.assign(
    {},
    ...listProjectFiles()
      .filter(file => isSourceFile(file) && !isTestFile(file) && /^(apps|packages)\/[^/]+\/src\//.test(file))
      .map(file => findLongFunctions(file, readProjectFile(file))),
  );

export const checkFunctionLengths = () =>
  findLengthProblems(listLongFunctions(), JSON.parse(readProjectFile(LIST)));
