/**
 * Verifies that the boundary checks still work: boundaries-canary/ holds one violation per rule,
 * each marked on its line, and the check fails unless exactly those are reported. Biome runs on a
 * copy outside the repository with the repository's rules.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findViolations } from './boundaries.mjs';
import { RULES } from './boundary-rules.mjs';
import { bin, root, runCommand } from './run-command.mjs';

const CANARY = path.join(root, 'tools/boundaries-canary');
/** Whole-graph rules of boundaries.mjs, and the Biome rules that this project relies on. */
const GRAPH_RULES = [
  'server-private-keys',
  'main-thread-crypto',
  'import-cycle',
  'environment',
  'feature-cycle',
];
const BIOME_RULES = [
  'noConsole',
  'noDefaultExport',
  'noEnum',
  'noFloatingPromises',
  'noImportCycles',
  'noNamespace',
  'noRestrictedImports',
];

function listCanaryFiles(folder = '') {
  return readdirSync(path.join(CANARY, folder), { withFileTypes: true })
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap(entry => {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return listCanaryFiles(name);
      return /\.tsx?$/.test(entry.name) ? [name] : [];
    });
}

/**
 * Returns the marks of one file: `file:line rule` for each rule named after `violates:` or
 * `biome:`.
 */
export function readMarks(file, text) {
  const marks = [];
  text.split('\n').forEach((line, index) => {
    const comment = /\/\/ ((?:violates|biome): .*)$/.exec(line)?.[1] ?? '';
    for (const [, kind, names] of comment.matchAll(/(violates|biome): ([A-Za-z, -]+?)(?=$| biome:)/g)) {
      for (const name of names.split(',')) {
        marks.push(`${file}:${index + 1} ${kind === 'biome' ? 'biome/' : ''}${name.trim()}`);
      }
    }
  });
  return marks;
}

/**
 * Returns Biome's reports on the canary as marks, limited to the rules that this project relies on.
 */
async function lintCanary() {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'canary-'));
  try {
    cpSync(CANARY, copy, { recursive: true });
    const config = JSON.parse(readFileSync(path.join(root, 'biome.json'), 'utf8'));
    delete config.vcs;
    config.files.includes = config.files.includes.filter(pattern => !pattern.includes('boundaries-canary'));
    writeFileSync(path.join(copy, 'biome.json'), JSON.stringify(config));
    const run = await runCommand(bin('biome'), ['lint', '--reporter=json', '--max-diagnostics=200', '.'], {
      cwd: copy,
    });
    const { diagnostics } = JSON.parse(run.stdout);
    return diagnostics
      .map(({ category, location }) => ({ rule: category.split('/').at(-1), location }))
      .filter(({ rule }) => BIOME_RULES.includes(rule))
      .map(({ rule, location }) => `${location.path}:${location.start.line} biome/${rule}`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Compares the reports with the marks, and the marks with the existing rules. */
export function compareWithMarks(marks, reported, rules) {
  const problems = [];
  for (const mark of marks) if (!reported.includes(mark)) problems.push(`not reported: ${mark}`);
  for (const report of reported)
    if (!marks.includes(report)) problems.push(`reported but not marked: ${report}`);
  for (const rule of rules) {
    if (!marks.some(mark => mark.endsWith(` ${rule}`)))
      problems.push(`the canary has no violation of ${rule}`);
  }
  return problems;
}

export async function checkCanary() {
  const files = listCanaryFiles();
  const marks = files.flatMap(file => readMarks(file, readFileSync(path.join(CANARY, file), 'utf8')));
  const own = findViolations(CANARY, files).map(({ from, line, rule }) => `${from}:${line} ${rule}`);
  const rules = [...RULES.map(rule => rule.id), ...GRAPH_RULES, ...BIOME_RULES.map(rule => `biome/${rule}`)];
  return compareWithMarks(marks, [...own, ...(await lintCanary())], rules);
}
