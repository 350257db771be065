/**
 * Reads docs/spec-map.md, which maps each statement of the specification to the files that
 * implement it and the tests that verify it. `checkSpecMap` rejects rows that name missing files.
 * Run as a program, it prints the progress of each section.
 *
 *   node tools/spec-map.mjs
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { root } from './run-command.mjs';
import { isTestFile, readProjectFile } from './source-files.mjs';

const DOCUMENT = 'docs/spec-map.md';
const STATUSES = ['done', 'part', 'later'];

/**
 * Returns the rows `| 2.01 | statement | status | files | tests |`. A status other than done gives
 * the missing part after a colon.
 */
export function readSpecRows(text) {
  const rows = [];
  text.split('\n').forEach((line, index) => {
    const cells = line.split(/(?<!\\)\|/).map(cell => cell.trim());
    if (!/^\d+\.\d{2,3}$/.test(cells[1] ?? '')) return;
    const paths = cell => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(match => match[1]);
    rows.push({
      line: index + 1,
      columns: cells.length - 2,
      id: cells[1],
      statement: cells[2] ?? '',
      status: (cells[3] ?? '').split(':')[0].trim(),
      files: paths(cells[4]),
      tests: paths(cells[5]),
    });
  });
  return rows;
}

/**
 * Returns every row that repeats an id, has an unknown status, names a missing file, or claims done
 * without proof.
 */
export function findSpecProblems(rows, isThere) {
  const problems = [];
  const seen = new Set();
  for (const row of rows) {
    const say = text => problems.push(`${DOCUMENT}:${row.line}: ${row.id} ${text}`);
    if (row.columns !== 5) say(`has ${row.columns} columns instead of 5`);
    if (seen.has(row.id)) say('is a duplicate');
    seen.add(row.id);
    if (row.statement === '') say('states nothing');
    if (!STATUSES.includes(row.status)) say(`has the status '${row.status}'; use ${STATUSES.join(', ')}`);
    for (const file of [...row.files, ...row.tests])
      if (!isThere(file)) say(`names ${file}, which does not exist`);
    for (const file of row.tests)
      if (!isTestFile(file)) say(`names ${file} as a test, but it is not a test file`);
    if (row.status === 'done' && row.files.length === 0) say('is done but names no source file');
    if (row.status === 'done' && row.tests.length === 0) say('is done but names no test');
  }
  if (rows.length === 0) problems.push(`${DOCUMENT} has no rows`);
  return problems;
}

export function checkSpecMap() {
  return findSpecProblems(readSpecRows(readProjectFile(DOCUMENT)), file => existsSync(path.join(root, file)));
}

function printProgress() {
  const sections = new Map();
  for (const row of readSpecRows(readProjectFile(DOCUMENT))) {
    const section = row.id.split('.')[0];
    const counts = sections.get(section) ?? { done: 0, part: 0, later: 0 };
    counts[row.status] = (counts[row.status] ?? 0) + 1;
    sections.set(section, counts);
  }
  for (const [section, counts] of sections) {
    console.log(`section ${section}: ${counts.done} done, ${counts.part} in part, ${counts.later} later`);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) printProgress();
