// The user's address book: sealed records with pins, verifications, names, notes, groups and cards
// (docs/adr/0020; book-records.ts defines their layout). Loaded on first use; changes run in order
// and take effect once saved. The page never reverts to an older version than it has seen.

import { runInSlices } from '@keyfold/mail/slices';
import { useSyncExternalStore } from 'react';
import { t } from '../../lib/language.ts';
import { createPauses } from '../../lib/pauses.ts';
import { WORK_SLICE_MS } from '../../timing.ts';
import { findOwnRecords, isVersionConflict, saveOwnRecord } from '../own-record.ts';
import { getUser } from '../state/current-user.ts';
import { type FurtherRecord, isBound, joinBook, layOutSteps, readFurther } from './book-records.ts';
import { BOOK_PEOPLE_MAX, BOUND_PEOPLE_MAX, type Book, bookSchema, emptyBook, fitting } from './pins.ts';

const kind = 'contacts';
const firstId = 'book';
/** Returns the names of the further records, sorted by number. */
const furtherId = (at: number): string => `people-${String(at).padStart(3, '0')}`;
const SAVE_TRIES = 4;

let book: Book | null = null;
/** Versions of the records, and contents of the further ones, as the server has them. */
let version = 0;
let furtherVersions: number[] = [];
let further: FurtherRecord[] = [];
let loading: Promise<Book> | null = null;
let changing: Promise<unknown> = Promise.resolve();
/** Address of the user who owns the book. */
let owner = '';
const listeners = new Set<() => void>();

function set(next: Book): Book {
  book = next;
  for (const listener of listeners) listener();
  return next;
}

async function load(): Promise<Book> {
  const found = await findOwnRecords(kind);
  const first = found.get(firstId);
  const stored = first === undefined ? emptyBook : bookSchema.parse(first.value);
  const records: FurtherRecord[] = [];
  const versions: number[] = [];
  for (let at = 0; ; at += 1) {
    const one = found.get(furtherId(at));
    if (one === undefined) break;
    // An unchanged record stays the same object, so it is not written again.
    const known = one.version === furtherVersions[at] ? further[at] : undefined;
    records.push(known ?? readFurther(one.value));
    versions.push(one.version);
  }
  version = first?.version ?? 0;
  furtherVersions = versions;
  further = records;
  // An older version from the server is ignored here, and overwritten with the next change.
  return book !== null && book.serial >= stored.serial ? book : set(joinBook(stored, records));
}

function forgetOthers(): void {
  const { kdf_email } = getUser();
  if (kdf_email === owner) return;
  owner = kdf_email;
  book = null;
  version = 0;
  furtherVersions = [];
  further = [];
  loading = null;
}

/**
 * Returns the book, fetched once. Rejects when it is unavailable or does not open: then no key may
 * be trusted.
 */
export function loadAddressBook(): Promise<Book> {
  forgetOthers();
  loading ??= load().catch(error => {
    loading = null;
    throw error;
  });
  return loading.then(loaded => book ?? loaded);
}

/** Fetches the book again, because another device may have changed it. */
export async function refreshAddressBook(): Promise<Book> {
  await loadAddressBook();
  return inOrder(load);
}

/** Returns the book as far as it is known; null before it was loaded. */
export const findBook = (): Book | null => book;

type Change = (before: Book) => Book | Promise<Book>;

async function save(change: Change): Promise<Book> {
  await loadAddressBook();
  for (let tries = SAVE_TRIES; ; tries -= 1) {
    const before = book ?? emptyBook;
    const after = await change(before);
    if (after === before) return before;
    const next = { ...fitting(after), serial: before.serial + 1 };
    if (next.people.length > BOOK_PEOPLE_MAX || next.people.filter(isBound).length > BOUND_PEOPLE_MAX)
      throw new Error(
        t('You’ve reached the limit. Delete something you no longer need, or try again later.'),
      );
    try {
      await saveRecords(next);
      return set(next);
    } catch (error) {
      if (!isVersionConflict(error) || tries === 1) throw error;
      await load();
    }
  }
}

/**
 * Saves the changed records, the first one last: its entries are valid only once all others are
 * stored.
 */
async function saveRecords(next: Book): Promise<void> {
  const pauses = createPauses(WORK_SLICE_MS, new AbortController().signal);
  const layout = await runInSlices(layOutSteps(next, further), pauses);
  for (const [at, record] of layout.further.entries()) {
    if (record === further[at]) continue;
    furtherVersions[at] = await saveOwnRecord(kind, furtherId(at), furtherVersions[at] ?? 0, record);
    further[at] = record;
  }
  version = await saveOwnRecord(kind, firstId, version, layout.first);
}

/** Runs after all earlier work, so that nothing is loaded while a change is being saved. */
function inOrder(work: () => Promise<Book>): Promise<Book> {
  const done = changing.then(work);
  changing = done.catch(() => undefined);
  return done;
}

/**
 * Changes the book, one change at a time; resolves once the server has stored it. Rejects with
 * CallError.
 */
export const changeAddressBook = (change: Change): Promise<Book> => inOrder(() => save(change));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the book, live; null before it was loaded. Does not load it. */
export const useAddressBook = (): Book | null => useSyncExternalStore(subscribe, findBook);
