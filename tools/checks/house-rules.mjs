/**
 * Rules of STYLE.md that no linter covers: file names, a header in each file, and forbidden text
 * (to-do notes, disabled tests, machine-specific paths, addresses of download servers).
 */
import path from 'node:path';
import { isSourceFile, isTestFile, listProjectFiles, readProjectFile } from '../source-files.mjs';

const VAGUE = /^(utils?|helpers?|misc|common|manager|shared|stuff)$/;
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const PASCAL = /^[A-Z][A-Za-z0-9]*$/;

/**
 * Returns a problem with a source file's name, or null. Components (.tsx) are PascalCase, all
 * others kebab-case.
 */
export function findNameProblem(file) {
  const base = path.posix.basename(file);
  const stem = base.replace(/\.(test|bench|config|stories|d)(?=\.)/, '').replace(/\.[a-z]+$/, '');
  if (VAGUE.test(stem)) return `${file}: the file name is too generic; name the subject`;
  if (/\.tsx$/.test(base) && PASCAL.test(stem)) return null;
  return KEBAB.test(stem) ? null : `${file}: use kebab-case (a React component may be PascalCase)`;
}

/**
 * Returns a problem with a source file's header, or null: it must say what the file is for. A test
 * is described by the file beside it.
 */
export function findHeaderProblem(file, text) {
  if (isTestFile(file)) return null;
  const opening = text.replace(/^#!.*\n/, '').trimStart();
  return /^(\/\*\*?\s|\/\/ )/.test(opening) ? null : `${file}: the header comment is missing`;
}

const MARK = ['TO', 'DO|FIX', 'ME|XX', 'X'].join('');
/**
 * Each entry says what is wrong and where to look. The patterns are split so that this file does
 * not match itself.
 */
const FORBIDDEN = [
  { what: 'a marker of unfinished work', pattern: new RegExp(`\\b(${MARK})\\b`), applies: isSourceFile },
  { what: 'a focused test', pattern: /\b(describe|it|test)\.only\(/, applies: isTestFile },
  { what: 'a skipped test', pattern: /\b(describe|it|test)\.(skip|todo)\(/, applies: isTestFile },
  {
    what: 'a path of a particular machine',
    pattern: /(^|[\s"'`(=:])\/(root|home\/[a-z]+|Users\/[A-Za-z]+|work)\//,
    applies: () => true,
  },
  {
    what: 'an address of a package registry',
    pattern: /\bregistry\.(npmjs|yarnpkg|npmmirror)\b|"resolved":\s"http/,
    applies: () => true,
  },
];

/** Returns every forbidden text in a file as one problem each, with its line. */
export function findForbiddenText(file, text) {
  const problems = [];
  const rules = FORBIDDEN.filter(rule => rule.applies(file));
  text.split('\n').forEach((line, index) => {
    for (const { what, pattern } of rules)
      if (pattern.test(line)) problems.push(`${file}:${index + 1}: ${what}`);
  });
  return problems;
}

const isText = file =>
  /\.(ts|tsx|mjs|cjs|js|css|html|json|md|sql|sh|yml|yaml|svg|webmanifest)$|\/run$/.test(file);

export function checkHouseRules() {
  const problems = [];
  for (const file of listProjectFiles()) {
    if (!isText(file)) continue;
    const text = readProjectFile(file);
    problems.push(...findForbiddenText(file, text));
    if (!isSourceFile(file)) continue;
    problems.push(...[findNameProblem(file), findHeaderProblem(file, text)].filter(Boolean));
  }
  return problems;
}
