// One record that a user keeps for themselves on the server (contract `records`), found by its name, opened and sealed by the
// key worker. What it holds, and how two devices' changes are brought together, is for who keeps it to say.
import type { RECORD_KINDS } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { LARGE_RECORDS_PAGE } from '@keyfold/contract/limits';
import { leftOutOf } from '@keyfold/contract/rows';
import { keys } from '../crypto/key-client.ts';
import { recordsClient } from './calls/clients/records.ts';

/** Records asked for at once; more than the one only where others' names begin alike. */
const NEARBY_RECORDS = 20;

type RecordKind = (typeof RECORD_KINDS)[number];

/** A record as it was found; its shape is for the caller to check. */
export type OwnRecord = { readonly version: number; readonly value: unknown };

/** The record of this name, opened; null when there is none. Rejects with CallError, or when it does not open. */
export async function findOwnRecord(kind: RecordKind, id: string): Promise<OwnRecord | null> {
  // Ids are in order, and `after` leaves out what it names: however many records there are, this one is among the first.
  const { data } = await recordsClient.list({ kind, after: id.slice(0, -1), count: NEARBY_RECORDS });
  const found = data.find(record => record.id === id);
  return found === undefined
    ? null
    : { version: found.version, value: await keys().openRecord(kind, id, found.sealed) };
}

/** All records of a kind, opened, by their names. Rejects with CallError, or when one does not open. */
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

/** Seals and saves a record over the version that is known (0: none); the new version. Rejects with CallError. */
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

/** Whether another device was first: what it saved must be read before another try. */
export const isVersionConflict = (error: unknown): boolean =>
  error instanceof CallError && error.code === 'version_conflict';
