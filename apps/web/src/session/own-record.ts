// One record that a user stores privately on the server (contract `records`), found by name; the
// key worker opens and seals it. The caller defines its contents and merges the changes of two
// devices.
import type { RECORD_KINDS } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { LARGE_RECORDS_PAGE } from '@keyfold/contract/limits';
import { leftOutOf } from '@keyfold/contract/rows';
import { keys } from '../crypto/key-client.ts';
import { recordsClient } from './calls/clients/records.ts';

/**
 * Number of records fetched to find one; more than that one arrive only if other names share its
 * prefix.
 */
const NEARBY_RECORDS = 20;

type RecordKind = (typeof RECORD_KINDS)[number];

/** A record as it was found; the caller validates its shape. */
export type OwnRecord = { readonly version: number; readonly value: unknown };

/**
 * Returns the record of this name, opened, or null if there is none. Rejects with CallError, or
 * when it does not open.
 */
export async function findOwnRecord(kind: RecordKind, id: string): Promise<OwnRecord | null> {
  // Ids are sorted and `after` is exclusive, so this record is among the first, however many there
  // are.
  const { data } = await recordsClient.list({ kind, after: id.slice(0, -1), count: NEARBY_RECORDS });
  const found = data.find(record => record.id === id);
  return found === undefined
    ? null
    : { version: found.version, value: await keys().openRecord(kind, id, found.sealed) };
}

/**
 * Returns all records of a kind, opened, by name. Rejects with CallError, or when one does not
 * open.
 */
export async function findOwnRecords(kind: RecordKind): Promise<ReadonlyMap<string, OwnRecord>> {
  const found = new Map<string, OwnRecord>();
  for (let after: string | undefined; ; ) {
    const { data } = await recordsClient.list({
      kind,
      count: LARGE_RECORDS_PAGE,
      ...(after === undefined ? {} : { after }),
    });
    const values = await Promise.all(data.map(({ id, sealed }) => keys().openRecord(kind, id, sealed)));
    for (const [index, { id, version }] of data.entries()) found.set(id, { version, value: values[index] });
    after = data.at(-1)?.id;
    if (after === undefined || data.length + leftOutOf(data) < LARGE_RECORDS_PAGE) return found;
  }
}

/**
 * Seals and saves a record over the known version (0: none); returns the new version. Rejects with
 * CallError.
 */
export async function saveOwnRecord(
  kind: RecordKind,
  id: string,
  version: number,
  value: unknown,
): Promise<number> {
  const sealed = await keys().sealOwnRecord(kind, id, value);
  const { data } = await recordsClient.save({ kind, id, version, ...sealed });
  return data.version;
}

/** Returns whether another device saved first; read its version before another attempt. */
export const isVersionConflict = (error: unknown): boolean =>
  error instanceof CallError && error.code === 'version_conflict';
