/**
 * The rules of STYLE.md that no linter has: names of files, a header in each, and text that must not be in the
 * repository (unfinished marks, tests that are switched off, paths of one machine, addresses of download servers).
 */
import path from 'node:path';
import { isSourceFile, isTestFile, listProjectFiles, readProjectFile } from '../source-files.mjs';

const VAGUE = /^(utils?|helpers?|misc|common|manager|shared|stuff)$/;
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const PASCAL = /^[A-Z][A-Za-z0-9]*$/;

/** A problem with a source file's name, or null. Components (.tsx) are PascalCase, all else kebab-case. */
export function findNameProblem(file) {
  const base = path.posix.basename(file);
  const stem = base.replace(/\.(test|bench|config|stories|d)(?=\.)/, '').replace(/\.[a-z]+$/, '');
  if (VAGUE.test(stem)) return `${file}: the name says nothing; name the subject`;
  if (/\.tsx$/.test(base) && PASCAL.test(stem)) return null;
  return KEBAB.test(stem) ? null : `${file}: use kebab-case (a React component may be PascalCase)`;
}

/** A problem with a source file's opening, or null: it must say what the file is for. A test's subject is beside it. */
export function findHeaderProblem(file, text) {
  if (isTestFile(file)) return null;
  const opening = text.replace(/^#!.*\n/, '').trimStart();
  return /^(\/\*\*?\s|\/\/ )/.test(opening) ? null : `${file}: the header comment is missing`;
}

const MARK = ['TO', 'DO|FIX', 'ME|XX', 'X'].join('');
/** Each says what is wrong and where to look; written so that this file does not match itself. */
const FORBIDDEN = [
  { what: 'an unfinished mark', pattern: new RegExp(`\\b(${MARK})\\b`), applies: isSourceFile },
  { what: 'a focused test', pattern: /\b(describe|it|test)\.only\(/, applies: isTestFile },
  { what: 'a switched-off test', pattern: /\b(describe|it|test)\.(skip|todo)\(/, applies: isTestFile },
  {
    what: 'a path of one machine',
    pattern: /(^|[\s"'`(=:])\/(root|home\/[a-z]+|Users\/[A-Za-z]+|work)\//,
    applies: () => true,
  },
  {
    what: 'an address of a download server',
    pattern: /\bregistry\.(npmjs|yarnpkg|npmmirror)\b|"resolved":\s"http/,
    applies: () => true,
  },
];

/** Every forbidden text in a file, one problem each, with its line. */
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
