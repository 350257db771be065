/**
 * A process that claims rows of the outbound queue and deletes them a moment later, until it is
 * killed. Prints the ids of what it has claimed and of what it has deleted. Arguments: the
 * connection, the time, and the end of its leases.
 */
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createLogger } from '../../src/base/logger.ts';
import { claimRows, deleteHeld, hasNoLease } from '../../src/db/claim.ts';
import { type Connection, createDb, createPool } from '../../src/db/pool.ts';
import { recipientQueue } from '../../src/features/outbound/delivery/store.ts';

const ROWS_PER_CLAIM = 3;
const WORK_MS = 20;

const [connection = '', now = '', lease = ''] = process.argv.slice(2);
const db = createDb(createPool(JSON.parse(connection) as Connection, createLogger('silent'), 1));
const leasedUntil = new Date(lease);
for (;;) {
  const rows = await claimRows(db, recipientQueue, {
    where: sql`next_attempt_at <= ${now} and ${hasNoLease(new Date(now))}`,
    orderBy: 'next_attempt_at',
    limit: ROWS_PER_CLAIM,
    set: { leased_until: leasedUntil },
  });
  const ids = rows.map(({ id }) => id);
  const print = (what: string) => process.stdout.write(ids.map(id => `${what} ${id}\n`).join(''));
  print('claimed');
  await sleep(WORK_MS);
  if (ids.length === 0) continue;
  await deleteHeld(db, recipientQueue, { where: sql`id = any(${ids}::uuid[])`, lease: leasedUntil });
  print('deleted');
}
