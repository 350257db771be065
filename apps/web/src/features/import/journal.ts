// The import journals of this device, so that an import can be resumed after a reload and reviewed
// afterwards. Sealed in the key worker under a key derived from sent_key. Files are not stored;
// their handles are in kept-handles.ts where the browser supports them.
import type { ImportPlan, Skipped } from '../../crypto/import/import-types.ts';
import { keys } from '../../crypto/key-client.ts';
import { withStore } from './import-database.ts';

export type ImportFile = { readonly name: string; readonly size: number };

export type Journal = {
  readonly id: string;
  /** Start time, in milliseconds. */
  readonly at: number;
  readonly files: readonly ImportFile[];
  readonly plan: ImportPlan;
  /** Number of items in the chosen folders; null where it is known only after reading. */
  readonly total: number | null;
  readonly state: 'open' | 'finished' | 'cancelled';
  /** Fraction of the files that has been read, 0 to 1. */
  readonly share: number;
  readonly imported: number;
  readonly here: number;
  readonly bytes: number;
  /**
   * Numbers of contacts added, address cards found, and contacts left out; absent in old journals.
   */
  readonly contacts: number;
  readonly cards?: number;
  readonly contactsLeft?: number;
  readonly skippedCount: number;
  /** The first of them, with names. */
  readonly skipped: readonly Omit<Skipped, 'raw'>[];
};

const recordKind = 'import journal';
/** Maximum number of finished imports in the list, and of skipped messages named per import. */
const ENDED_MAX = 10;
export const NAMED_MAX = 1_000;

type StoredJournal = { readonly id: string; readonly at: number; readonly sealed: string };

/**
 * Stores a journal. Returns false where this device stores nothing; the import then continues but
 * cannot be resumed.
 */
export async function keepJournal(journal: Journal): Promise<boolean> {
  try {
    const sealed = await keys().sealRecord(recordKind, journal.id, journal);
    const stored: StoredJournal = { id: journal.id, at: journal.at, sealed };
    await withStore('journals', 'readwrite', store => store.put(stored));
    return true;
  } catch {
    // Only the ability to resume is lost.
    return false;
  }
}

/** Deletes a journal. */
export async function dropJournal(id: string): Promise<void> {
  await withStore('journals', 'readwrite', store => store.delete(id)).catch(() => undefined);
}

/**
 * Returns the journals that this user's keys open, newest first; deletes the oldest finished ones.
 */
export async function listJournals(): Promise<readonly Journal[]> {
  const stored = (await withStore('journals', 'readonly', store => store.getAll()).catch(
    () => [],
  )) as StoredJournal[];
  const opened = stored.map(
    async ({ id, sealed }) => (await keys().openRecord(recordKind, id, sealed)) as Journal,
  );
  const journals = (await Promise.allSettled(opened))
    .flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
    .sort((a, b) => b.at - a.at);
  const old = journals.filter(({ state }) => state !== 'open').slice(ENDED_MAX);
  for (const { id } of old) await dropJournal(id);
  return journals.filter(one => !old.includes(one));
}
