// What a worker claims when most due rows are for a destination at its connection limit, and how
// much it reads to do so.
import { createHash, randomUUID } from 'node:crypto';
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../tests/harness/database.ts';
import { recordStatements } from '../../../../tests/recorded-statements.ts';
import type { Trx } from '../../../db/pool.ts';
import { type ClaimLimits, claimGroup } from './claim-store.ts';

const now = new Date('2026-11-23T12:00:00Z');
const secondsAgo = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000);
const limits: ClaimLimits = {
  now,
  leasedUntil: secondsAgo(-120),
  aliveUntil: secondsAgo(-60),
  maxRecipients: 100,
  busyDomains: [],
  maxPerDomain: 4,
  running: [],
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await sql`truncate outbound_recipients`.execute(database.db);
});

const digestOf = (domain: string): Buffer => createHash('sha256').update(domain).digest();
const FULL = digestOf('full.test');

/**
 * Inserts messages with one recipient each at a domain, each due a millisecond after the previous
 * one.
 */
const insert = (
  rows: number,
  digest: RawBuilder<unknown> | Buffer,
  first: Date,
  db: TestDatabase['db'] | Trx,
) =>
  sql`insert into outbound_recipients (message_id, id, domain_digest, envelope_sealed, next_attempt_at)
    select gen_random_uuid(), gen_random_uuid(), ${digest}, decode(repeat('00', 150), 'hex'),
      ${first}::timestamptz + n * interval '1 ms'
    from generate_series(1, ${rows}::int) n`.execute(db);
const add = (rows: number, domain: string, first: Date) => insert(rows, digestOf(domain), first, database.db);

const claim = (changes: Partial<ClaimLimits> = {}) => claimGroup(database.db, { ...limits, ...changes });
/**
 * Claims as many groups as one destination may have at a time, while it is the only destination.
 */
async function useUp(): Promise<void> {
  for (let place = 0; place < limits.maxPerDomain; place++)
    expect(await claim()).toMatchObject([{ domain_digest: FULL }]);
}
const claimed = async (changes: Partial<ClaimLimits> = {}): Promise<string | null> =>
  (await claim(changes))[0]?.domain_digest.toString('hex') ?? null;
const hexOf = (domain: string): string => digestOf(domain).toString('hex');

test('the longest-due row is claimed first, even behind many for a destination at its limit', async () => {
  await add(150, 'full.test', secondsAgo(3_600));
  await useUp();
  expect(await claim()).toEqual([]);
  await add(2, 'second.test', secondsAgo(60));
  await add(1, 'first.test', secondsAgo(90));
  await add(1, 'later.test', secondsAgo(-60));
  expect(await claimed()).toBe(hexOf('first.test'));
  expect(await claimed({ busyDomains: [digestOf('second.test')] })).toBeNull();
  const [row] = await database.db
    .selectFrom('outbound_recipients')
    .select('message_id')
    .where('domain_digest', '=', digestOf('second.test'))
    .orderBy('next_attempt_at')
    .execute();
  const running = [{ messageId: row?.message_id ?? '', domainDigest: digestOf('second.test') }];
  const [other] = await claim({ running });
  expect(other?.domain_digest).toEqual(digestOf('second.test'));
  expect(other?.message_id).not.toBe(row?.message_id);
  expect(await claim({ running })).toEqual([]);
  expect(await claimed()).toBe(hexOf('second.test'));
  expect(await claim()).toEqual([]);
  // Once the leases have expired, all rows can be claimed again.
  expect(await claimed({ now: limits.leasedUntil, aliveUntil: secondsAgo(-180) })).toBe(hexOf('full.test'));
});

test('none of many destinations behind one at its limit is skipped', async () => {
  await add(150, 'full.test', secondsAgo(3_600));
  await useUp();
  const domains = Array.from({ length: 300 }, (_, n) => `d${n}.test`);
  for (const domain of domains) await add(1, domain, secondsAgo(60));
  const found = new Set<string | null>();
  for (const _ of domains) found.add(await claimed());
  expect(found).toEqual(new Set(domains.map(hexOf)));
  expect(await claim()).toEqual([]);
});

test('a claim takes the due recipients of one message and domain, up to the limit', async () => {
  const message_id = randomUUID();
  const rowOf = (seconds: number, domain = 'many.test', message = message_id) => ({
    message_id: message,
    id: randomUUID(),
    domain_digest: digestOf(domain),
    envelope_sealed: Buffer.alloc(1),
    next_attempt_at: secondsAgo(seconds),
  });
  await database.db
    .insertInto('outbound_recipients')
    .values([
      ...Array.from({ length: 5 }, () => rowOf(60)),
      rowOf(-60),
      rowOf(30, 'other.test'),
      rowOf(30, 'many.test', randomUUID()),
    ])
    .execute();
  const sizes = [];
  for (let n = 0; n < 4; n++) {
    const rows = await claim({ maxRecipients: 3 });
    expect(new Set(rows.map(row => `${row.message_id} ${row.domain_digest.toString('hex')}`)).size).toBe(1);
    sizes.push(rows.length);
  }
  expect(sizes).toEqual([3, 2, 1, 1]);
  expect(await claim()).toEqual([]);
});

type Explained = { readonly 'QUERY PLAN': readonly [{ readonly Plan: Readonly<Record<string, number>> }] };

/** Counts the pages that a claim's queries read with PostgreSQL's current plans. */
async function pagesRead(): Promise<number> {
  const statements = await recordStatements(claim);
  let pages = 0;
  const undo = new Error('undo');
  await database.db
    .transaction()
    .execute(async trx => {
      for (const { text, values } of statements) {
        if (!/^\s*(select|with)/.test(text)) continue;
        const isSetting = text.includes('set_config');
        const asked = isSetting ? text : `explain (analyze, buffers, format json) ${text}`;
        const { rows } = await trx.executeQuery<Explained>(CompiledQuery.raw(asked, [...values]));
        if (isSetting) continue;
        const plan = rows[0]?.['QUERY PLAN'][0].Plan;
        pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
      }
      throw undo;
    })
    .catch(error => {
      if (error !== undo) throw error;
    });
  return pages;
}

test.each(['an empty queue', 'a queue with nothing due'])(
  'ten times more rows for a destination at its limit cost no more, with statistics from %s',
  async known => {
    const fill = async (rows: number): Promise<number> => {
      await sql`truncate outbound_recipients`.execute(database.db);
      if (known === 'a queue with nothing due') {
        await add(2_000, 'waits.test', secondsAgo(-3_600));
        await sql`analyze outbound_recipients`.execute(database.db);
        await sql`truncate outbound_recipients`.execute(database.db);
      }
      await database.db.transaction().execute(async trx => {
        await insert(50, FULL, secondsAgo(3_600), trx);
        // ANALYZE sees the pages that these uncommitted rows occupy, but not the rows.
        if (known === 'an empty queue') await sql`analyze outbound_recipients`.execute(database.db);
        await insert(rows - 50, FULL, secondsAgo(3_599), trx);
      });
      await useUp();
      for (let n = 0; n < 20; n++) await add(1, `d${n}.test`, secondsAgo(n));
      return pagesRead();
    };
    const few = await fill(2_000);
    expect(await fill(20_000)).toBeLessThan(2 * few);
  },
);

test('ten times more rows that are due later elsewhere cost no more either', async () => {
  const fill = async (rows: number): Promise<number> => {
    await sql`truncate outbound_recipients`.execute(database.db);
    await add(200, 'full.test', secondsAgo(3_600));
    await add(rows, 'later.test', secondsAgo(-3_600));
    await sql`analyze outbound_recipients`.execute(database.db);
    await useUp();
    for (let n = 0; n < 20; n++) await add(1, `d${n}.test`, secondsAgo(n));
    return pagesRead();
  };
  const few = await fill(2_000);
  expect(await fill(20_000)).toBeLessThan(2 * few);
});
