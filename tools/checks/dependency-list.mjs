/**
 * docs/dependencies.md against the package.json files: each dependency has one row that names the rooms using it and
 * says why, and no row outlives its dependency. Versions are not repeated there; the package.json files hold them.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../run-command.mjs';
import { readProjectFile } from '../source-files.mjs';

const DOCUMENT = 'docs/dependencies.md';

/** What is declared: dependency name to the sorted names of the rooms that declare it. Ours are left out. */
export function listDeclared(base = root) {
  const rooms = [['root', 'package.json']];
  for (const group of ['packages', 'apps']) {
    for (const room of readdirSync(path.join(base, group)).sort()) {
      const file = `${group}/${room}/package.json`;
      if (existsSync(path.join(base, file))) rooms.push([room, file]);
    }
  }
  const declared = {};
  for (const [room, file] of rooms) {
    const manifest = JSON.parse(readProjectFile(file, base));
    const names = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap(kind =>
      Object.keys(manifest[kind] ?? {}),
    );
    for (const name of names) {
      if (!name.startsWith('@keyfold/')) declared[name] = [...(declared[name] ?? []), room].sort();
    }
  }
  return declared;
}

/** Rows of the document's tables: | `name`, `name` | rooms | why |. Several packages of one kind may share a row. */
export function readRows(text) {
  const rows = {};
  for (const line of text.split('\n')) {
    const cells = line.split('|').map(cell => cell.trim());
    if (cells.length < 5 || !cells[1].startsWith('`')) continue;
    for (const [, name] of cells[1].matchAll(/`([^`]+)`/g)) {
      rows[name] = { rooms: cells[2].split(/,\s*/).sort(), why: cells[3] };
    }
  }
  return rows;
}

/** Differences between what is declared and what the document says. */
export function findDependencyProblems(declared, rows) {
  const problems = [];
  for (const [name, rooms] of Object.entries(declared)) {
    const row = rows[name];
    if (!row) problems.push(`${DOCUMENT} has no row for ${name} (declared by ${rooms.join(', ')})`);
    else if (row.rooms.join() !== rooms.join())
      problems.push(
        `${DOCUMENT} says that ${name} is used by ${row.rooms.join(', ')}; it is declared by ${rooms.join(', ')}`,
      );
    else if (row.why.length < 10) problems.push(`${DOCUMENT} does not say why ${name} is there`);
  }
  for (const name of Object.keys(rows))
    if (!declared[name]) problems.push(`${DOCUMENT} has a row for ${name}, which nobody declares`);
  return problems;
}

export function checkDependencyList() {
  return findDependencyProblems(listDeclared(), readRows(readProjectFile(DOCUMENT)));
}
