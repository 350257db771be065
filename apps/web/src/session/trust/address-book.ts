// The address book of the user: sealed records with pins, marks, names, notes, groups and cards (docs/adr/0020; how it lies in
// them is book-records.ts'). Loaded when it is first needed, changed in order, saved before a change counts. What the page has seen of it never becomes older.

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
/** Names of the further records, in the order of their numbers. */
const furtherId = (at: number): string => `people-${String(at).padStart(3, '0')}`;
const SAVE_TRIES = 4;

let book: Book | null = null;
/** Versions of the records, and what the further ones hold, as the server has them. */
let version = 0;
let furtherVersions: number[] = [];
let further: FurtherRecord[] = [];
let loading: Promise<Book> | null = null;
let changing: Promise<unknown> = Promise.resolve();
/** Whose book it is. */
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
    // One that is as it was stays the same object: it need not be written again.
    const known = one.version === furtherVersions[at] ? further[at] : undefined;
    records.push(known ?? readFurther(one.value));
    versions.push(one.version);
  }
  version = first?.version ?? 0;
  furtherVersions = versions;
  further = records;
  // A server that gives an older one back changes nothing here, and gets the newer one with the next change.
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

/** The book, fetched once. Rejects when it cannot be had or does not open: then nothing may be trusted. */
export function loadAddressBook(): Promise<Book> {
  forgetOthers();
  loading ??= load().catch(error => {
    loading = null;
    throw error;
  });
  return loading.then(loaded => book ?? loaded);
}

/** Asks again: another device may have changed it. */
export async function refreshAddressBook(): Promise<Book> {
  await loadAddressBook();
  return inOrder(load);
}

/** The book as far as it is known; null before it was loaded. */
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
      throw new Error(t('There are too many of these already'));
    try {
      await saveRecords(next);
      return set(next);
    } catch (error) {
      if (!isVersionConflict(error) || tries === 1) throw error;
      await load();
    }
  }
}

/** Saves the records that changed, the first one last: what it says of somebody holds when all others are there. */
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

/** After all that was begun before: nothing is loaded while a change is on its way. */
function inOrder(work: () => Promise<Book>): Promise<Book> {
  const done = changing.then(work);
  changing = done.catch(() => undefined);
  return done;
}

/** Changes the book, one change after the other; done once the server has it. Rejects with CallError. */
export const changeAddressBook = (change: Change): Promise<Book> => inOrder(() => save(change));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The book, live; null before it was loaded, which this does not begin. */
export const useAddressBook = (): Book | null => useSyncExternalStore(subscribe, findBook);
