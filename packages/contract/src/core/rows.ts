/**
 * Lists in responses whose rows are independent: one row that does not parse must not invalidate
 * the others. Lists whose positions or completeness matter (requested keys, proofs, factors) are
 * excluded and stay strict.
 */
import { z } from 'zod';

/** Returns the replacement for a row that does not parse; null drops the row. */
type StandIn = (row: unknown) => unknown;

const standIns = new WeakMap<object, StandIn>();

/**
 * Declares a list of independent rows. Servers must follow the schema as for any list; clients
 * tolerate bad rows.
 */
export function rowsOf<T extends z.ZodType>(
  row: T,
  standIn: (row: unknown) => z.input<T> | null = () => null,
  max?: number,
) {
  const list = max === undefined ? z.array(row) : z.array(row).max(max);
  standIns.set(list, standIn);
  return list;
}

const ownRows = new WeakSet<object>();

/**
 * Declares a response whose `data` is a single row. When it does not parse, a client gets the
 * placeholder, which identifies itself as one.
 */
export function rowIn<T extends z.ZodObject<{ data: z.ZodType }>>(
  answer: T,
  standIn: (row: unknown) => z.output<T>['data'],
): T {
  standIns.set(answer, standIn);
  ownRows.add(answer);
  return answer;
}

const leftOut = new WeakMap<object, number>();

/**
 * Returns how many rows of a response's list were dropped because they did not parse. The page size
 * is the length of the list plus this number, and a list with dropped rows must not be saved back
 * as a whole.
 */
export const leftOutOf = (list: readonly unknown[]): number => leftOut.get(list) ?? 0;

type Path = readonly PropertyKey[];

/**
 * Finds the innermost list of rows on the path to an issue: its path, and the replacement for its
 * rows.
 */
function findList(root: z.ZodType, path: Path): { at: Path; index: number; standIn: StandIn } | null {
  let schema: unknown = root;
  let innermost: { at: Path; index: number; standIn: StandIn } | null = null;
  for (const [depth, step] of path.entries()) {
    while (
      schema instanceof z.ZodOptional ||
      schema instanceof z.ZodNullable ||
      schema instanceof z.ZodDefault
    )
      schema = schema.unwrap();
    if (schema instanceof z.ZodArray) {
      const standIn = standIns.get(schema);
      if (standIn !== undefined && typeof step === 'number')
        innermost = { at: path.slice(0, depth), index: step, standIn };
      schema = schema.element;
    } else if (schema instanceof z.ZodObject) schema = schema.shape[step as string];
    else break;
  }
  return innermost;
}

/** Yields the paths of these lists within a value. */
function* pathsOf(
  value: unknown,
  lists: ReadonlyMap<unknown, number>,
  path: Path = [],
): Generator<[Path, number]> {
  const count = lists.get(value);
  if (count !== undefined) yield [path, count];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* pathsOf(inner, lists, [...path, name]);
}

const inside = (json: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown>)[step], json);

/**
 * Parses a response. `badRows` counts the rows that were replaced or dropped, `leftOutRows` only
 * the dropped ones.
 */
export function parseAnswer<T extends z.ZodType>(
  schema: T,
  json: unknown,
): { data: z.output<T>; badRows: number; leftOutRows: number } | { error: z.ZodError } {
  const first = schema.safeParse(json);
  if (first.success) return { data: first.data, badRows: 0, leftOutRows: 0 };
  const own = ownRows.has(schema) ? standIns.get(schema) : undefined;
  const row = (json as { readonly data?: unknown } | null)?.data;
  if (own !== undefined && typeof row === 'object' && row !== null) {
    const mended = schema.safeParse({ ...(json as object), data: own(row) });
    return mended.success ? { data: mended.data, badRows: 0, leftOutRows: 0 } : { error: mended.error };
  }
  const bad = new Map<string, { at: Path; indices: Set<number>; standIn: StandIn }>();
  for (const issue of first.error.issues) {
    const found = findList(schema, issue.path);
    if (found === null) return { error: first.error };
    const key = JSON.stringify(found.at);
    const list = bad.get(key) ?? { at: found.at, indices: new Set(), standIn: found.standIn };
    bad.set(key, list);
    list.indices.add(found.index);
  }
  const mended = JSON.parse(JSON.stringify(json)) as unknown;
  let badRows = 0;
  const shortened = new Map<unknown, number>();
  // Inner lists first: dropping rows shifts the positions in outer lists.
  for (const { at, indices, standIn } of [...bad.values()].sort((a, b) => b.at.length - a.at.length)) {
    const rows = inside(mended, at) as unknown[];
    const kept = rows.flatMap((row, index) => {
      if (!indices.has(index)) return [row];
      const other = standIn(row);
      return other === null ? [] : [other];
    });
    badRows += indices.size;
    shortened.set(rows, rows.length - kept.length);
    rows.splice(0, rows.length, ...kept);
  }
  const second = schema.safeParse(mended);
  if (!second.success) return { error: second.error };
  for (const [path, count] of pathsOf(mended, shortened))
    leftOut.set(inside(second.data, path) as object, count);
  return {
    data: second.data,
    badRows,
    leftOutRows: [...shortened.values()].reduce((sum, one) => sum + one, 0),
  };
}
