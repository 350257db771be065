/**
 * Finds source files over 400 lines. Existing ones may be listed with their length in
 * tools/file-size-exceptions.json. The list may only shrink: an unneeded entry or a listed file
 * that grew fails as well.
 */
import { isSourceFile, isTestFile, listProjectFiles, readProjectFile } from '../source-files.mjs';

const LIMIT_LINES = 400;
const LIST = 'tools/file-size-exceptions.json';

/** Compares file lengths with the exceptions; both map paths to numbers of lines. */
export function findSizeProblems(lengths, exceptions, limitLines = LIMIT_LINES) {
  const problems = [];
  for (const [file, lines] of Object.entries(lengths)) {
    const allowed = exceptions[file] ?? limitLines;
    if (lines > allowed)
      problems.push(`${file} has ${lines} lines; at most ${allowed} are allowed. Split it by subject.`);
  }
  for (const [file, allowed] of Object.entries(exceptions)) {
    const lines = lengths[file];
    if (lines === undefined) problems.push(`${LIST} names ${file}, which is gone. Remove the entry.`);
    else if (lines <= limitLines)
      problems.push(`${LIST} names ${file}, which now has ${lines} lines. Remove the entry.`);
    else if (lines < allowed)
      problems.push(`${LIST} allows ${allowed} lines for ${file}, which has ${lines}. Lower the entry.`);
  }
  return problems;
}

export function checkFileSizes() {
  const lengths = {};
  for (const file of listProjectFiles()) {
    if (isSourceFile(file) && !isTestFile(file)) lengths[file] = readProjectFile(file).split('\n').length - 1;
  }
  return findSizeProblems(lengths, JSON.parse(readProjectFile(LIST)));
}
