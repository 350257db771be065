// What this device remembers of imports, so that one can be taken up after a reload and looked at afterwards: sealed in the
// key worker under a key made from sent_key. Files are not kept, handles of them in kept-handles.ts where the browser has any.
import type { ImportPlan, Skipped } from '../../crypto/import/import-types.ts';
import { keys } from '../../crypto/key-client.ts';
import { withStore } from './import-database.ts';

export type ImportFile = { readonly name: string; readonly size: number };

export type Journal = {
  readonly id: string;
  /** When it began, milliseconds. */
  readonly at: number;
  readonly files: readonly ImportFile[];
  readonly plan: ImportPlan;
  /** Things in the chosen folders; null where only reading tells. */
  readonly total: number | null;
  readonly state: 'open' | 'finished' | 'cancelled';
  /** How much of the files was read, 0 to 1. */
  readonly share: number;
  readonly imported: number;
  readonly here: number;
  readonly bytes: number;
  /** Contacts that were added; address cards that were found, and people that were left out, absent in old journals. */
  readonly contacts: number;
  readonly cards?: number;
  readonly contactsLeft?: number;
  readonly skippedCount: number;
  /** The first of them by name. */
  readonly skipped: readonly Omit<Skipped, 'raw'>[];
};

const recordKind = 'import journal';
/** Most ended imports that are remembered, and most skipped mails of one that are named. */
const ENDED_MAX = 10;
export const NAMED_MAX = 1_000;

type StoredJournal = { readonly id: string; readonly at: number; readonly sealed: string };

/** Keeps a journal; where this device keeps nothing, the import goes on and cannot be taken up: then false. */
export async function keepJournal(journal: Journal): Promise<boolean> {
  try {
    const sealed = await keys().sealRecord(recordKind, journal.id, journal);
    const stored: StoredJournal = { id: journal.id, at: journal.at, sealed };
    await withStore('journals', 'readwrite', store => store.put(stored));
    return true;
  } catch {
    // Nothing is lost but the way back.
    return false;
  }
}

/** Forgets a journal. */
export async function dropJournal(id: string): Promise<void> {
  await withStore('journals', 'readwrite', store => store.delete(id)).catch(() => undefined);
}

/** The journals that this person's keys open, newest first; the oldest ended ones go. */
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
