/**
 * What this process says to PostgreSQL while something runs: statements with their values, in their order, whoever sends them.
 */
import pg from 'pg';

export type Statement = { readonly text: string; readonly values: readonly unknown[] };

/** Every statement that `work` makes. What other work of the process makes meanwhile is among them. */
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
