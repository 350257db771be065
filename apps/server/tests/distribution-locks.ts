/**
 * Statements that lock rows, read out of the sources: on a spread table such a statement must name, by equality, what the table is
 * spread by, because a distributed PostgreSQL locks rows of one machine at a time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PLACES } from './distribution.ts';

const SOURCE = path.resolve(import.meta.dirname, '../src');
const LOCK =
  /\.for(?:Update|NoKeyUpdate|Share|KeyShare)\(|\bfor (?:no key update|update|key share|share)\b(?=[^']*`)/g;
const FROM = /\b(?:selectFrom\(\s*'|from )(\w+)/g;

/** Locks of a function of the database that reach over machines, as `name table`: each statement names one value of the key. */
export const findWideFunctionLocks = (name: string, body: string): string[] =>
  body.split(';').flatMap(statement => {
    if (!/\bfor (?:no key update|update|key share|share)\b/.test(statement)) return [];
    const table = [...statement.matchAll(FROM)].findLast(({ 1: one = '' }) =>
      Object.hasOwn(PLACES, one),
    )?.[1];
    if (table === undefined) return [`${name}: a lock of no table that is known`];
    const place = PLACES[table];
    if (place === undefined || !('by' in place)) return [];
    return new RegExp(`\\b${place.by} = (?!any\\b)\\w+`).test(statement) ? [] : [`${name} ${table}`];
  });

/** The statement that a lock ends, as text: from the last table of ours that is read before it. */
function statementBefore(
  text: string,
  end: number,
): { readonly table: string; readonly words: string } | null {
  const before = text.slice(0, end);
  const last = [...before.matchAll(FROM)].findLast(({ 1: table = '' }) => Object.hasOwn(PLACES, table));
  return last === undefined ? null : { table: last[1] ?? '', words: before.slice(last.index) };
}

/** Whether a statement names one value of a column. */
const namesOne = (words: string, column: string): boolean =>
  new RegExp(`'(?:\\w+\\.)?${column}', '=', |\\b${column} = \\$\\{`).test(words);

/** Locks of a file that reach over machines, as `file table`. */
export const findWideLocks = (file: string, text: string): string[] =>
  [...text.matchAll(LOCK)].flatMap(({ index }) => {
    const statement = statementBefore(text, index);
    if (statement === null) return [`${file}: a lock of no table that is known`];
    const { table, words } = statement;
    const place = PLACES[table];
    if (place === undefined || !('by' in place) || namesOne(words, place.by)) return [];
    return [`${file} ${table}`];
  });

/** Those of all sources of the server, each once, in order. */
export function findAllWideLocks(): string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('migrations'),
  );
  const found = files.flatMap(file => findWideLocks(file, readFileSync(path.join(SOURCE, file), 'utf8')));
  return [...new Set(found)].sort();
}
