/**
 * Statements that lock rows, read out of the sources: on a spread table such a statement must name, by equality, what the table is
 * spread by, because a distributed PostgreSQL locks rows of one machine at a time. What does not is named here as a gap.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PLACES } from './distribution.ts';

const SOURCE = path.resolve(import.meta.dirname, '../src');
const LOCK =
  /\.for(?:Update|NoKeyUpdate|Share|KeyShare)\(|\bfor (?:no key update|update|key share|share)\b(?=[^']*`)/g;
const FROM = /\b(?:selectFrom\(\s*'|from )(\w+)/g;

/** By file and table, why a statement locks rows of several machines; docs/scaling.md says what stands in. */
export const LOCK_GAPS: Readonly<Record<string, string>> = {
  'features/admin/store.ts users': 'of two supers one stays, whoever they are',
  'features/auth/access-store.ts users': 'found by the login, before the user is known',
  'features/mailbox/container-store.ts blobs': 'all containers of a mail',
  'features/mailbox/store.ts mailboxes': 'a mail to several readers is stored for all or none',
  'features/push/queue-store.ts push_jobs': 'what is due first, of all users',
  'features/sending/held-store.ts held_sends': 'what is due first, of all users',
  'features/server-import/store.ts server_imports': 'what waits longest, of all users',
};

/** The statement that a lock ends, as text: from the last table of ours that is read before it. */
const statementBefore = (
  text: string,
  end: number,
): { readonly table: string; readonly words: string } | null => {
  const before = text.slice(0, end);
  const last = [...before.matchAll(FROM)].findLast(({ 1: table = '' }) => Object.hasOwn(PLACES, table));
  return last === undefined ? null : { table: last[1] ?? '', words: before.slice(last.index) };
};

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
export const findAllWideLocks = (): string[] => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('migrations'),
  );
  const found = files.flatMap(file => findWideLocks(file, readFileSync(path.join(SOURCE, file), 'utf8')));
  return [...new Set(found)].sort();
};
