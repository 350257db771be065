/**
 * Records the statements that this process sends to PostgreSQL, with their values and in order,
 * whichever code sends them.
 */
import pg from 'pg';

export type Statement = { readonly text: string; readonly values: readonly unknown[] };

/**
 * Returns every statement that `work` executes. Includes statements of other work in the process
 * during that time.
 */
export async function recordStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const { prototype } = pg.Client;
  const { query } = prototype;
  prototype.query = function recorded(this: pg.Client, ...args: unknown[]) {
    const [first, second] = args as [string | { text?: string; values?: unknown[] } | undefined, unknown];
    const text = typeof first === 'string' ? first : (first?.text ?? '');
    const given = typeof first === 'string' ? second : (first?.values ?? second);
    statements.push({ text, values: Array.isArray(given) ? [...given] : [] });
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return statements;
}
