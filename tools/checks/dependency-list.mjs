/**
 * Compares docs/dependencies.md with the package.json files: each dependency has one row that names
 * the workspaces using it and says why, and each row has a dependency. Versions are only in
 * the package.json files.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../run-command.mjs';
import { readProjectFile } from '../source-files.mjs';

const DOCUMENT = 'docs/dependencies.md';

/**
 * Returns the declared dependencies: name to the sorted names of the workspaces that declare it,
 * without the project's own packages.
 */
export function listDeclared(base = root) {
  const workspaces = [['root', 'package.json']];
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(path.join(base, group)).sort()) {
      const file = `${group}/${name}/package.json`;
      if (existsSync(path.join(base, file))) workspaces.push([name, file]);
    }
  }
  const declared = {};
  for (const [workspace, file] of workspaces) {
    const manifest = JSON.parse(readProjectFile(file, base));
    const names = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap(kind =>
      Object.keys(manifest[kind] ?? {}),
    );
    for (const name of names) {
      if (!name.startsWith('@keyfold/')) declared[name] = [...(declared[name] ?? []), workspace].sort();
    }
  }
  return declared;
}

/**
 * Returns the rows of the document's tables: | `name`, `name` | workspaces | why |. Several
 * packages of one kind may share a row.
 */
export function readRows(text) {
  const rows = {};
  for (const line of text.split('\n')) {
    const cells = line.split('|').map(cell => cell.trim());
    if (cells.length < 5 || !cells[1].startsWith('`')) continue;
    for (const [, name] of cells[1].matchAll(/`([^`]+)`/g)) {
      rows[name] = { workspaces: cells[2].split(/,\s*/).sort(), why: cells[3] };
    }
  }
  return rows;
}

/** Returns the differences between the declared dependencies and the document. */
export function findDependencyProblems(declared, rows) {
  const problems = [];
  for (const [name, workspaces] of Object.entries(declared)) {
    const row = rows[name];
    if (!row) problems.push(`${DOCUMENT} has no row for ${name} (declared by ${workspaces.join(', ')})`);
    else if (row.workspaces.join() !== workspaces.join())
      problems.push(
        `${DOCUMENT} lists ${row.workspaces.join(', ')} for ${name}, which is declared by ${workspaces.join(', ')}`,
      );
    else if (row.why.length < 10) problems.push(`${DOCUMENT} gives no reason for ${name}`);
  }
  for (const name of Object.keys(rows))
    if (!declared[name]) problems.push(`${DOCUMENT} has a row for ${name}, which no workspace declares`);
  return problems;
}

export function checkDependencyList() {
  return findDependencyProblems(listDeclared(), readRows(readProjectFile(DOCUMENT)));
}
