/**
 * Texts in the server's sources that may be SQL: every string and template, and method names as
 * `.name(`, because Kysely's are SQL keywords. Comments, tests and code that uses only the embedded
 * PostgreSQL are excluded.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const SOURCE = path.resolve(import.meta.dirname, '../src');

/** Files that use only the embedded PostgreSQL. */
export const EMBEDDED_ONLY: readonly string[] = [
  'db/embedded.ts',
  'db/leftover-postgres.ts',
  'db/timelines.ts',
  'db/wal-archive.ts',
];

/** Normalizes a statement for the rules. */
export const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** Returns the texts of one file. Throws when it cannot be parsed as TypeScript. */
export function textsOf(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  const texts: string[] = [];
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string') texts.push(plain(value));
    },
    // An interpolation stands for a value or for a separate text.
    TemplateLiteral: ({ quasis }) => {
      texts.push(plain(quasis.map(({ value }) => value.cooked ?? value.raw).join('$1')));
    },
    MemberExpression: ({ property }) => {
      if (property.type === 'Identifier') texts.push(plain(`.${property.name}(`));
    },
  }).visit(program);
  return texts;
}

/**
 * Returns the server files that may use any database, with their texts. Migrations are excluded:
 * they are checked as they run.
 */
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
