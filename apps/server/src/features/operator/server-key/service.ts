/**
 * Binds a database to the server's key: the key's fingerprint is recorded in the database, and
 * nothing starts with a missing or different key. A database from before fingerprints adopts the
 * key that opens its sealed data.
 */
import { timingSafeEqual } from 'node:crypto';
import {
  findMasterKey,
  fingerprintOf,
  loadMasterKey,
  type MasterKey,
  masterKeyFile,
} from '../../../base/master-key.ts';
import { StartRefused } from '../../../base/start-refused.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { findFingerprint, findSealedSamples, lockServerKey, putFingerprint } from './store.ts';

export type ServerKeyOptions = {
  readonly dataDir: string;
  /** Whether a key may be created for a database that never had one. */
  readonly mayMake: boolean;
};

const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

const missing = (file: string): StartRefused =>
  new StartRefused(
    `The server's key ${file} is missing: restore your copy of it. No new key was created, because it could not decrypt queued mail, DKIM keys and filters`,
  );

const another = (file: string): StartRefused =>
  new StartRefused(
    `The server's key ${file} does not belong to this database. Restore the key that does, or set KEYFOLD_DATA to the folder of this service`,
  );

/**
 * Returns the key of a data directory if it is the recorded one. Throws StartRefused when it is
 * missing or different.
 */
function requireRecorded(dataDir: string, recorded: Buffer): MasterKey {
  const key = findMasterKey(dataDir);
  if (key === null) throw missing(masterKeyFile(dataDir));
  if (!isSame(fingerprintOf(key), recorded)) throw another(masterKeyFile(dataDir));
  return key;
}

const opens =
  (key: MasterKey) =>
  ({ purpose, context, sealed }: Awaited<ReturnType<typeof findSealedSamples>>[number]): boolean => {
    try {
      key.open(purpose, context, sealed).fill(0);
      return true;
    } catch {
      return false;
    }
  };

async function settle(trx: Trx, { dataDir, mayMake }: ServerKeyOptions): Promise<MasterKey> {
  await lockServerKey(trx);
  const recorded = await findFingerprint(trx);
  if (recorded !== null) return requireRecorded(dataDir, recorded);
  const samples = await findSealedSamples(trx);
  const found = findMasterKey(dataDir);
  if (found === null && (!mayMake || samples.length > 0)) throw missing(masterKeyFile(dataDir));
  if (found !== null && samples.length > 0 && !samples.some(opens(found)))
    throw another(masterKeyFile(dataDir));
  const key = found ?? loadMasterKey(dataDir);
  await putFingerprint(trx, fingerprintOf(key));
  return key;
}

/**
 * Returns the server's key of a database. On first start the key is created, or adopted when it
 * opens sealed data there. Rejects with StartRefused when it is missing, damaged, unreadable or
 * different.
 */
export async function openServerKey(db: Db, options: ServerKeyOptions): Promise<MasterKey> {
  const recorded = await findFingerprint(db);
  return recorded === null
    ? db.transaction().execute(trx => settle(trx, options))
    : requireRecorded(options.dataDir, recorded);
}

/**
 * Records the key of a data directory, created if absent, after a restore that gave up the former
 * key.
 */
export const replaceServerKey = (db: Db, dataDir: string): Promise<void> =>
  putFingerprint(db, fingerprintOf(loadMasterKey(dataDir)));
