/**
 * Every table has one owning feature. Other features that name it in SQL are listed in
 * tools/table-owners.json, and that list may only shrink. Reads Kysely calls, SQL templates and
 * declarations of queues.
 * Does not see tables named by a variable (account deletion and the archive iterate over all
 * tables).
 */
import { parseSync, Visitor } from 'oxc-parser';
import { isTestFile, listProjectFiles, readProjectFile } from '../source-files.mjs';
import { literalOf, nameOf } from '../syntax.mjs';

const LIST = 'tools/table-owners.json';
const FEATURES = 'apps/server/src/features/';
const WRITES = new Set(['insertInto', 'updateTable', 'deleteFrom']);
const READS = new Set(['selectFrom', 'innerJoin', 'leftJoin', 'using', 'from']);
/** Declarations of queues, whose rows the statements of db/claim.ts change. */
const QUEUES = new Set(['userQueue', 'sharedQueue']);
const SQL_NAME = /\b(insert into|update|delete from|from|join|using)\s+(?:only\s+)?"?([a-z_]+)"?/gi;

/** Returns the names of all tables, from the types of db/*tables.ts. */
export function findTables(text) {
  const names = [];
  for (const [, block] of text.matchAll(/export type \w*Tables = (?:\w+ & )?\{((?:[^{}]|\{[^}]*\})*)\}/g))
    for (const [, name] of block.matchAll(/(?:^ {2}|^ )([a-z][a-z_0-9]*): [A-Z]\w*/gm)) names.push(name);
  return names;
}

/** Returns how one file uses tables: { table, isWrite } for each place that names one. */
export function findUses(file, text, tables) {
  const uses = [];
  const note = (table, isWrite) => tables.has(table) && uses.push({ table, isWrite });
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type === 'Identifier' && QUEUES.has(callee.name) && first) note(literalOf(first), true);
      const method = callee.type === 'MemberExpression' ? nameOf(callee.property) : undefined;
      if (method === undefined || !(WRITES.has(method) || READS.has(method))) return;
      for (const one of first?.type === 'ArrayExpression' ? first.elements : [first]) {
        const named = one && literalOf(one);
        if (typeof named === 'string') note(named.split(/\s/)[0], WRITES.has(method));
      }
    },
    TaggedTemplateExpression({ quasi }) {
      const sql = quasi.quasis.map(part => part.value.raw).join(' ? ');
      for (const [, verb, table] of sql.matchAll(SQL_NAME)) note(table, /insert|update|delete/i.test(verb));
    },
  }).visit(parseSync(file, text).program);
  return uses;
}

/** Returns the feature of a server file, `district/feature`, or null outside features. */
const featureOf = file =>
  file.startsWith(FEATURES) ? file.slice(FEATURES.length).split('/').slice(0, 2).join('/') : null;

/** Returns the readers and writers of each table: { table: { reads: Set, writes: Set } }. */
export function gatherUses(files, tables) {
  const found = Object.fromEntries([...tables].map(name => [name, { reads: new Set(), writes: new Set() }]));
  for (const [file, text] of Object.entries(files)) {
    const feature = featureOf(file);
    if (feature === null) continue;
    for (const { table, isWrite } of findUses(file, text, tables))
      found[table][isWrite ? 'writes' : 'reads'].add(feature);
  }
  return found;
}

/** Compares the uses with the list: { table: { owner, alsoRead?, alsoWrite? } }. */
export function findOwnerProblems(found, list) {
  const problems = [];
  for (const [table, { reads, writes }] of Object.entries(found)) {
    const { owner, alsoRead = [], alsoWrite = [] } = list[table] ?? {};
    if (owner === undefined) {
      problems.push(`${LIST} names no owner of ${table}.`);
      continue;
    }
    if (!reads.has(owner) && !writes.has(owner))
      problems.push(`${owner} owns ${table}, but does not use it.`);
    for (const [verb, features, listed] of [
      ['write', writes, alsoWrite],
      ['read', new Set([...reads].filter(one => !writes.has(one))), alsoRead],
    ]) {
      for (const feature of features)
        if (
          feature !== owner &&
          !listed.includes(feature) &&
          !(verb === 'read' && alsoWrite.includes(feature))
        )
          problems.push(`${feature} may not ${verb} ${table}: call ${owner} instead.`);
      for (const feature of listed)
        if (!features.has(feature))
          problems.push(`${LIST}: ${feature} does not ${verb} ${table}. Remove it.`);
    }
  }
  for (const table of Object.keys(list))
    if (found[table] === undefined) problems.push(`${LIST} names ${table}, which is not a table.`);
  return problems;
}

function readUses() {
  const files = listProjectFiles();
  const types = files.filter(file => /^apps\/server\/src\/db\/(\w+-)?tables\.ts$/.test(file));
  const tables = new Set(types.flatMap(file => findTables(readProjectFile(file))));
  const sources = files.filter(file => file.startsWith(FEATURES) && /\.ts$/.test(file) && !isTestFile(file));
  return gatherUses(Object.fromEntries(sources.map(file => [file, readProjectFile(file)])), tables);
}

export function checkTableOwners() {
  return findOwnerProblems(readUses(), JSON.parse(readProjectFile(LIST)));
}
