/**
 * Finds statements in the sources that lock rows. On a distributed table, such a statement must
 * compare the distribution column for equality, because a distributed PostgreSQL can lock rows of
 * only one machine at a time. The statements of db/claim.ts do so for the queues that are declared
 * as distributed; here their declarations are compared with the list.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PLACES } from './distribution.ts';

const SOURCE = path.resolve(import.meta.dirname, '../src');
const LOCK =
  /\.for(?:Update|NoKeyUpdate|Share|KeyShare)\(|\bfor (?:no key update|update|key share|share)\b(?=[^']*`)/g;
/** The file with the statements of all queues, and what declares a queue. */
const CLAIMS = 'db/claim.ts';
const QUEUE = /\b(userQueue|sharedQueue)\(\s*'(\w+)',\s*\[([^\]]*)\]/g;
const FROM = /\b(?:selectFrom\(\s*'|from )(\w+)/g;

/**
 * Returns the locks in a database function that span machines, as `name table`. Each statement must
 * name one value of the distribution column.
 */
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

/**
 * Returns the text of the statement that ends in a lock, starting at the last of our tables that it
 * reads before the lock.
 */
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

/**
 * Returns the queues in a file that are declared as being on one machine but are distributed, or
 * whose key does not contain what they are distributed by, as `file table`.
 */
const findWideQueues = (file: string, text: string): string[] =>
  [...text.matchAll(QUEUE)].flatMap(([, kind, table = '', key = '']) => {
    const place = PLACES[table];
    if (place === undefined) return [`${file}: a queue of no table that is known`];
    const isRight =
      kind === 'sharedQueue' ? !('by' in place) : 'by' in place && key.includes(`'${place.by}'`);
    return isRight ? [] : [`${file} ${table}`];
  });

const findWideStatements = (file: string, text: string): string[] =>
  [...text.matchAll(LOCK)].flatMap(({ index }) => {
    const statement = statementBefore(text, index);
    if (statement === null) return [`${file}: a lock of no table that is known`];
    const { table, words } = statement;
    const place = PLACES[table];
    if (place === undefined || !('by' in place) || namesOne(words, place.by)) return [];
    return [`${file} ${table}`];
  });

/** Returns the locks in a file that span machines, as `file table`. */
export const findWideLocks = (file: string, text: string): string[] => [
  ...(file === CLAIMS ? [] : findWideStatements(file, text)),
  ...findWideQueues(file, text),
];

const readSources = (): (readonly [file: string, text: string])[] =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('migrations'))
    .map(file => [file, readFileSync(path.join(SOURCE, file), 'utf8')]);

/** Returns those of all server sources, sorted and without duplicates. */
export const findAllWideLocks = (): string[] =>
  [...new Set(readSources().flatMap(([file, text]) => findWideLocks(file, text)))].sort();

/** Returns the source files with a statement that passes over locked rows. */
export const findSkips = (): string[] =>
  readSources()
    .filter(([, text]) => /\bskip locked\b(?=[^']*`)|\.skipLocked\(/.test(text))
    .map(([file]) => file)
    .sort();
