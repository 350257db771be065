/**
 * The shared services of a test cluster as a separate process: one PostgreSQL on the given data
 * directory, one S3 service, and a DNS server without any names. It also verifies the data that the
 * nodes have stored. Its parent sends it messages (packages/testing, cluster.ts); it ends when the
 * parent ends.
 *   node main.ts DATA_DIR ADDRESS CIDR [PostgreSQL setting...]
 */
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { sql } from 'kysely';
import { createLogger } from '../../src/base/logger.ts';
import {
  type EmbeddedPostgres,
  embeddedConnection,
  makeDataDirectory,
  startEmbeddedPostgres,
} from '../../src/db/embedded.ts';
import { lockDataDir } from '../../src/db/lock.ts';
import { createDb, createPool, type Db } from '../../src/db/pool.ts';
import { startTestDns } from '../harness/dns.ts';
import { readCounters } from '../harness/mailbox.ts';
import { startS3Server } from '../harness/s3.ts';

const [dataDir = '', address = '', cidr = '', ...settings] = process.argv.slice(2);
const dir = path.join(dataDir, 'postgres');

type Running = { readonly postgres: EmbeddedPostgres; readonly unlock: () => void };
let running: Running | null = null;

async function startDatabase(): Promise<void> {
  const unlock = lockDataDir(dataDir);
  makeDataDirectory(dir);
  const rules = path.join(dir, 'pg_hba.conf');
  const rule = `host all all ${cidr} trust\n`;
  if (!readFileSync(rules, 'utf8').includes(rule)) appendFileSync(rules, rule);
  running = {
    unlock,
    postgres: await startEmbeddedPostgres(dir, [`listen_addresses=${address}`, ...settings]),
  };
}

async function stopDatabase(): Promise<void> {
  await running?.postgres.stop();
  running?.unlock();
  running = null;
}

/** Returns inbound messages that a mailbox contains more than once. */
async function findDoubles(db: Db): Promise<string[]> {
  const { rows } = await sql<{ who: string; message_id: string; copies: number }>`
    select a.address as who, m.message_id, count(*)::int as copies
    from mails m join addresses a on a.user_id = m.user_id and a.is_primary
    where m.message_id is not null and m.flags & 16 = 0
    group by a.address, m.message_id, m.flags & 64 having count(*) > 1`.execute(db);
  return rows.map(({ who, message_id, copies }) => `${who} has ${message_id} ${copies} times`);
}

/** Returns the inconsistencies in the nodes' stored data as text. */
async function recount(): Promise<string[]> {
  if (running === null) return [];
  const connection = embeddedConnection(running.postgres.socketDir, 'postgres');
  const db = createDb(createPool(connection, createLogger('silent'), 2));
  try {
    const { kept, recounted } = await readCounters(db);
    const wrong = (['counts', 'used'] as const).flatMap(name =>
      [...new Set([...Object.keys(kept[name]), ...Object.keys(recounted[name])])]
        .filter(key => kept[name][key] !== recounted[name][key])
        .map(key => `${name} of ${key}: ${kept[name][key]} kept, ${recounted[name][key]} recounted`),
    );
    return [...wrong, ...kept.tagRows.map(id => `a row without its mail: ${id}`), ...(await findDoubles(db))];
  } finally {
    await db.destroy();
  }
}

const s3 = await startS3Server(address);
const dns = await startTestDns({}, address);
const WORK: Readonly<Record<string, () => Promise<unknown>>> = {
  'start database': startDatabase,
  'stop database': stopDatabase,
  recount,
};
process.on('message', (asked: string) => {
  void (WORK[asked]?.() ?? Promise.reject(new Error('Unknown'))).then(
    answer => process.send?.({ asked, answer }),
    (error: Error) => process.send?.({ asked, error: error.message }),
  );
});
process.on('disconnect', () => {
  void stopDatabase().then(() => process.exit(0));
});
process.send?.({ asked: 'start', answer: { bucket: s3.options, dnsServer: dns.server } });
