/**
 * Texts of the server's sources that may be SQL: every string and template, and names of methods as `.name(`, since Kysely's
 * are words of SQL. Comments, tests and what speaks with the embedded PostgreSQL alone are left out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const SOURCE = path.resolve(import.meta.dirname, '../src');

/** Files that meet no server but the one that this product starts by itself. */
export const EMBEDDED_ONLY: readonly string[] = [
  'db/embedded.ts',
  'db/leftover-postgres.ts',
  'db/timelines.ts',
  'db/wal-archive.ts',
];

/** A statement as rules read it. */
export const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** Texts of one file. Throws where it cannot be read as TypeScript. */
export function textsOf(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  const texts: string[] = [];
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string') texts.push(plain(value));
    },
    // What is put in stands for a value or for a text of its own.
    TemplateLiteral: ({ quasis }) => {
      texts.push(plain(quasis.map(({ value }) => value.cooked ?? value.raw).join('$1')));
    },
    MemberExpression: ({ property }) => {
      if (property.type === 'Identifier') texts.push(plain(`.${property.name}(`));
    },
  }).visit(program);
  return texts;
}

/** Files of the server that meet any database, with their texts. Migrations are left out: they are read as they run. */
export const readTexts = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
      .filter(
        file =>
          file.endsWith('.ts') &&
          !file.endsWith('.test.ts') &&
          !file.startsWith('db/migrations/') &&
          !EMBEDDED_ONLY.includes(file),
      )
      .sort()
      .map(file => [file, textsOf(file, readFileSync(path.join(SOURCE, file), 'utf8'))]),
  );
