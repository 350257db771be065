/**
 * Tables as queues: how a worker claims rows, and changes them while they are its own. Which rows
 * are due, and whose turn it is, is decided by the stores.
 *
 * [Note: Leases] A claim writes a time into the row: the end of a lease, or the time at which the
 * row is due again. No other worker may claim the row before that time. It is set by the claimer;
 * for the clock used, see [Note: The service's time]. A worker that dies leaves the time behind,
 * and the row is claimed again after it, so nothing is lost. The claimer changes or deletes the row
 * only while exactly its own time is still in the row. The time therefore also serves as the token
 * by which a slow worker notices that another one has taken over.
 */
import {
  type Expression,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely';
import type { Db, Trx } from './pool.ts';
import type { Tables } from './tables.ts';

type Table = keyof Tables;
type Column<T extends Table> = keyof Selectable<Tables[T]> & string;
type Row<T extends Table> = Selectable<Tables[T]>;

/** A table whose rows are claimed, and its primary key. */
type Queue<T extends Table, K extends Column<T>> = { readonly table: T; readonly key: readonly K[] };

/** A queue that is distributed by user: a statement may lock rows of one user only. */
export type UserQueue<T extends Table, K extends Column<T>> = Queue<T, K> & { readonly isByUser: true };

/** A queue on one machine: a statement may lock the first rows of all. */
export type SharedQueue<T extends Table, K extends Column<T>> = Queue<T, K> & { readonly isByUser: false };

/** Declares a queue whose key contains the user. `tests/distribution.test.ts` checks that. */
export const userQueue = <T extends Table, K extends Column<T>>(
  table: T,
  key: readonly K[],
): UserQueue<T, K> => ({ table, key, isByUser: true });

/** Declares a queue on one machine. `tests/distribution.test.ts` checks that. */
export const sharedQueue = <T extends Table, K extends Column<T>>(
  table: T,
  key: readonly K[],
): SharedQueue<T, K> => ({ table, key, isByUser: false });

/** New values of a row; expressions are of the row's own columns. */
type Changes<T extends Table> = {
  readonly [C in keyof Updateable<Tables[T]>]?: Updateable<Tables[T]>[C] | RawBuilder<unknown>;
};

/** Which rows to take, without those that another transaction has locked. */
type Selection<T extends Table> = {
  readonly where: Expression<SqlBool>;
  readonly orderBy: Column<T>;
  readonly limit?: number;
};

const columnsOf = (names: readonly string[]) => sql.join(names.map(name => sql.ref(name)));

const assign = (changes: Readonly<Record<string, unknown>>) =>
  sql.join(
    Object.entries(changes)
      .filter(([, value]) => value !== undefined)
      .map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
  );

/** Whether a row has this key. */
export const hasKey = <T extends Table, K extends Column<T>>(
  { key }: Queue<T, K>,
  values: Pick<Row<T>, K>,
): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.join(
    key.map(column => sql`${sql.ref(column)} = ${values[column]}`),
    sql` and `,
  )}`;

/** Whether no worker has a lease on a row. */
export const hasNoLease = (now: Date, column = 'leased_until'): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)} is null or ${sql.ref(column)} <= ${now})`;

/** A query of rows that it locks until the transaction ends. Passes over rows that are locked. */
const lockQuery = <T extends Table>(
  table: T,
  columns: RawBuilder<unknown>,
  where: Expression<SqlBool>,
  end: RawBuilder<unknown> = sql``,
) => sql`select ${columns} from ${sql.table(table)} where ${where} ${end} for update skip locked`;

const firstOf = <T extends Table>({ orderBy, limit }: Selection<T>) =>
  sql`order by ${sql.ref(orderBy)} ${limit === undefined ? sql`` : sql`limit ${limit}`}`;

/** Locks rows of a queue on one machine until the transaction ends, and returns them. */
export async function lockRows<T extends Table, K extends Column<T>>(
  trx: Trx,
  { table }: SharedQueue<T, K>,
  selection: Selection<T>,
): Promise<Row<T>[]> {
  const rows = lockQuery(table, sql`*`, selection.where, firstOf(selection));
  return (await sql<Row<T>>`${rows}`.execute(trx)).rows;
}

/** A query of the keys of rows, locked, for a statement that deletes them or a claim. */
export const lockKeys = <T extends Table, K extends Column<T>>(
  { table, key }: SharedQueue<T, K>,
  selection: Selection<T>,
): RawBuilder<unknown> => lockQuery(table, columnsOf(key), selection.where, firstOf(selection));

/**
 * Claims the first rows of a queue on one machine, in one statement. Returns them in any order, and
 * fewer than there are when other workers are claiming the rest.
 */
export async function claimRows<T extends Table, K extends Column<T>>(
  db: Db | Trx,
  queue: SharedQueue<T, K>,
  { set, ...selection }: Selection<T> & { readonly set: Changes<T> },
): Promise<Row<T>[]> {
  const isPicked = sql.join(
    queue.key.map(column => sql`${sql.ref(`claimed.${column}`)} = ${sql.ref(`picked.${column}`)}`),
    sql` and `,
  );
  // Materialized, or the planner may run the query once per row, and claim more than the limit.
  const { rows } = await sql<Row<T>>`
    with picked as materialized (${lockKeys(queue, selection)})
    update ${sql.table(queue.table)} claimed set ${assign(set)} from picked where ${isPicked} returning claimed.*`.execute(
    db,
  );
  return rows;
}

/** How the next row of a queue by user is found: without locks, and then locked by its key. */
type Search<T extends Table, K extends Column<T>> = {
  /** Returns the keys of the rows that are first, except for those that were passed over. */
  readonly find: (passed: readonly Pick<Row<T>, K>[], limit: number) => Promise<readonly Pick<Row<T>, K>[]>;
  /** Whether a row that was found is still free. */
  readonly where: Expression<SqlBool>;
  /** Number of keys that are found at a time; one by default. */
  readonly perSearch?: number;
};

/** Takes the first row that can be had: when another worker was faster, tries the next one. */
async function takeFirst<T extends Table, K extends Column<T>>(
  { find, perSearch = 1 }: Search<T, K>,
  take: (key: Pick<Row<T>, K>) => Promise<Row<T> | undefined>,
): Promise<Row<T> | undefined> {
  const passed: Pick<Row<T>, K>[] = [];
  for (;;) {
    const found = await find(passed, perSearch);
    for (const key of found) {
      const taken = await take(key);
      if (taken !== undefined) return taken;
      passed.push(key);
    }
    if (found.length < perSearch) return undefined;
  }
}

/** Claims the next row of a queue by user. Returns undefined when none is free. */
export const claimNext = <T extends Table, K extends Column<T>>(
  db: Db,
  queue: UserQueue<T, K>,
  { set, ...search }: Search<T, K> & { readonly set: Changes<T> },
): Promise<Row<T> | undefined> =>
  takeFirst(search, async key => {
    const isIt = hasKey(queue, key);
    const columns = columnsOf(queue.key);
    const { rows } = await sql<Row<T>>`
      update ${sql.table(queue.table)} set ${assign(set)}
      where ${isIt} and (${columns}) = (${lockQuery(queue.table, columns, sql`${isIt} and (${search.where})`)})
      returning *`.execute(db);
    return rows[0];
  });

/**
 * Locks the next row of a queue by user until the transaction ends. Undefined when none is free.
 */
export const lockNext = <T extends Table, K extends Column<T>>(
  trx: Trx,
  queue: UserQueue<T, K>,
  search: Search<T, K>,
): Promise<Row<T> | undefined> =>
  takeFirst(search, async key => {
    const row = lockQuery(queue.table, sql`*`, sql`${hasKey(queue, key)} and (${search.where})`);
    return (await sql<Row<T>>`${row}`.execute(trx)).rows[0];
  });

/** Tables whose rows carry a lease. */
type Leased = {
  [T in Table]: 'leased_until' extends keyof Tables[T] ? T : never;
}[Table];

/** Rows, and the lease that their claimer set last: one of several, if it cannot know which. */
type Held = { readonly where: Expression<SqlBool>; readonly lease: Date | readonly Date[] };

const carries = ({ where, lease }: Held) =>
  sql<SqlBool>`(${where}) and leased_until in (${sql.join(lease instanceof Date ? [lease] : lease)})`;

/**
 * Changes claimed rows: renews their lease, gives them back or records what became of them. Returns
 * how many were still the claimer's.
 */
export async function changeHeld<T extends Leased, K extends Column<T>>(
  db: Db | Trx,
  { table }: Queue<T, K>,
  held: Held,
  set: Changes<T>,
): Promise<number> {
  const result = await sql`update ${sql.table(table)} set ${assign(set)} where ${carries(held)}`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Deletes claimed rows. Returns how many were still the claimer's. */
export async function deleteHeld<T extends Leased, K extends Column<T>>(
  db: Db | Trx,
  { table }: Queue<T, K>,
  held: Held,
): Promise<number> {
  const result = await sql`delete from ${sql.table(table)} where ${carries(held)}`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
