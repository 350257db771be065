// Sealed copies of drafts on this device, for when the tab is killed, the network fails or the
// session ends before a draft has reached the server. The database `letters` holds ciphertext only,
// sealed in the key worker under a key derived from sent_key. A copy exists from the first unsaved
// edit until the server has the same content.
import { keys } from '../../../crypto/key-client.ts';
import type { OwnWrap } from '../../../crypto/mail/outgoing-message.ts';
import type { Addressee, DraftState, Wait, WrittenDraft } from './draft-state.ts';

type CopiedPeople = readonly Omit<Addressee, 'keys'>[];

/** The written parts of a draft; keys and save state are determined again. */
export type DraftCopy = WrittenDraft & {
  readonly to: CopiedPeople;
  readonly cc: CopiedPeople;
  readonly bcc: CopiedPeople;
  /**
   * The message key, so that the draft opens without the server. Copies made by older versions have
   * none.
   */
  readonly wrap?: OwnWrap;
  readonly wait?: Wait | null;
};

type StoredCopy = { readonly id: string; readonly sealed: string; readonly at: number };

const storeName = 'copies';
const recordKind = 'local letter';

const ask = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function withStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open('letters', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName, { keyPath: 'id' });
  const database = await ask(opening);
  try {
    return await ask(work(database.transaction(storeName, mode).objectStore(storeName)));
  } finally {
    database.close();
  }
}

const people = (list: readonly Addressee[]): CopiedPeople =>
  list.map(({ person, isInvalid }) => ({ person, isInvalid }));

const copyOf = (draft: DraftState, wrap: OwnWrap): DraftCopy => ({
  from: draft.from,
  to: people(draft.to),
  cc: people(draft.cc),
  bcc: people(draft.bcc),
  subject: draft.subject,
  text: draft.text,
  html: draft.html,
  isFormatted: draft.isFormatted,
  quote: draft.quote,
  signatureId: draft.signatureId,
  signatureText: draft.signatureText,
  inReplyTo: draft.inReplyTo,
  references: draft.references,
  files: draft.files.filter(({ stored }) => stored !== null),
  draftId: draft.draftId,
  wrap,
  wait: draft.wait,
});

/** Stores a sealed copy; returns false where this device stores nothing. */
export async function keepCopy(draft: DraftState): Promise<boolean> {
  // The time of the content, not of the end of the sealing.
  const at = Date.now();
  try {
    const copied = copyOf(draft, await keys().wrapDraft(draft.handle));
    const sealed = await keys().sealRecord(recordKind, draft.handle, copied);
    const copy: StoredCopy = { id: draft.handle, sealed, at };
    await withStore('readwrite', store => store.put(copy));
    return true;
  } catch {
    return false;
  }
}

/** Removes a copy that is no longer needed. */
export async function dropCopy(id: string): Promise<void> {
  await withStore('readwrite', store => store.delete(id)).catch(() => undefined);
}

/**
 * Returns every copy that this user's keys open, oldest first. Copies of other users stay untouched
 * and unread.
 */
export async function listCopies(): Promise<readonly { readonly id: string; readonly copy: DraftCopy }[]> {
  const stored = (await withStore('readonly', store => store.getAll()).catch(() => [])) as StoredCopy[];
  const opened = stored
    .toSorted((a, b) => a.at - b.at)
    .map(async ({ id, sealed }) => ({
      id,
      copy: (await keys().openRecord(recordKind, id, sealed)) as DraftCopy,
    }));
  return (await Promise.allSettled(opened)).flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
}
