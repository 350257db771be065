/**
 * Lists of answers whose rows stand alone: one that does not parse must not take the others along. Lists in which the place
 * or the whole counts (keys as asked, proofs, factors) are no such lists and stay strict.
 */
import { z } from 'zod';

/** A row in place of one that does not parse; null drops it. */
type StandIn = (row: unknown) => unknown;

const standIns = new WeakMap<object, StandIn>();

/** A list of rows that stand alone. Servers are bound to it as to any list; clients forgive its bad rows. */
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

/** An answer whose `data` is one row: when it does not parse a client gets the stand-in, which says so itself. */
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
 * How many rows of a list of an answer were left out, because they did not parse. Pages are as long as the list and these
 * together, and a list that is shorter for them must not be saved back whole.
 */
export const leftOutOf = (list: readonly unknown[]): number => leftOut.get(list) ?? 0;

type Path = readonly PropertyKey[];

/** The innermost list of rows on the way to an issue: its path, and what stands in for its rows. */
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

/** The paths of those lists within a value. */
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

/** Parses an answer; `badRows` is how many rows of it were replaced or left out, `leftOutRows` the latter alone. */
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
  // Inner lists first: the places of rows in outer ones change when rows are left out.
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
