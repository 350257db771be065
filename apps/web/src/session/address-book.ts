// The address book of the user: one sealed record with pins, marks, names, notes and groups (docs/adr/0020). Loaded when it
// is first needed, changed in order, saved before a change counts. What the page has seen of it never becomes older.
import { useSyncExternalStore } from 'react';
import { t } from '../lib/language.ts';
import { getUser } from './current-user.ts';
import { findOwnRecord, isVersionConflict, saveOwnRecord } from './own-record.ts';
import { type Book, bookPeopleMax, bookSchema, emptyBook, fitting } from './pins.ts';

const kind = 'contacts';
const recordId = 'book';
const saveTries = 4;

let book: Book | null = null;
let version = 0;
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
  const found = await findOwnRecord(kind, recordId);
  version = found?.version ?? 0;
  const stored = found === null ? emptyBook : bookSchema.parse(found.value);
  // A server that gives an older one back changes nothing here, and gets the newer one with the next change.
  return book !== null && book.serial >= stored.serial ? book : set(stored);
}

function forgetOthers(): void {
  const { kdf_email } = getUser();
  if (kdf_email === owner) return;
  owner = kdf_email;
  book = null;
  version = 0;
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
  return load();
}

/** The book as far as it is known; null before it was loaded. */
export const findBook = (): Book | null => book;

async function save(change: (before: Book) => Book): Promise<Book> {
  await loadAddressBook();
  for (let tries = saveTries; ; tries -= 1) {
    const before = book ?? emptyBook;
    const changed = change(before);
    if (changed === before) return before;
    const next = { ...fitting(changed), serial: before.serial + 1 };
    if (next.people.length > bookPeopleMax) throw new Error(t('There are too many of these already'));
    try {
      version = await saveOwnRecord(kind, recordId, version, next);
      return set(next);
    } catch (error) {
      if (!isVersionConflict(error) || tries === 1) throw error;
      await load();
    }
  }
}

/** Changes the book, one change after the other; done once the server has it. Rejects with CallError. */
export function changeAddressBook(change: (before: Book) => Book): Promise<Book> {
  const work = changing.then(() => save(change));
  changing = work.catch(() => undefined);
  return work;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The book, live; null before it was loaded, which this does not begin. */
export const useAddressBook = (): Book | null => useSyncExternalStore(subscribe, findBook);
