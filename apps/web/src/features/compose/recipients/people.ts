// Suggestions for the recipient fields: contacts, and people the user has written to. The latter
// are stored sealed on the server for all devices (record kind `people`) and ranked by frequency
// and recency. Loaded when the user first opens a composer.
import type { Person } from '../../../crypto/mail/outgoing-message.ts';
import { findOwnRecord, isVersionConflict, saveOwnRecord } from '../../../session/own-record.ts';
import { findBook, loadAddressBook } from '../../../session/trust/address-book.ts';
import { type Book, emptyBook } from '../../../session/trust/pins.ts';
import type { SuggestionView } from '../draft/view-model.ts';
import { groupsFor, type KnownPerson, rankPeople, rememberPeople } from './people-rank.ts';

const kind = 'people';
const recordId = 'written-to';

type Remembered = { readonly version: number; readonly people: readonly KnownPerson[] };

let remembered: Remembered = { version: 0, people: [] };
let loading: Promise<void> | null = null;

function isKnownPerson(one: unknown): one is KnownPerson {
  const { address, name, count, last } = (one ?? {}) as Partial<Record<keyof KnownPerson, unknown>>;
  return (
    typeof address === 'string' &&
    typeof name === 'string' &&
    typeof count === 'number' &&
    typeof last === 'number'
  );
}

async function fetchPeople(): Promise<void> {
  // Without it suggestions lack contacts; sending requests it again.
  await loadAddressBook().catch(() => undefined);
  const { version, value } = (await findOwnRecord(kind, recordId)) ?? { version: 0, value: [] };
  remembered = { version, people: Array.isArray(value) ? value.filter(isKnownPerson) : [] };
}

/** Loads them once; until then suggestions omit them. */
export function warmPeople(): Promise<void> {
  loading ??= fetchPeople().catch(() => {
    loading = null;
  });
  return loading;
}

const TRIES_AFTER_CONFLICT = 3;

/** Records that the user has written to these people. A failure costs only a suggestion. */
export async function rememberRecipients(people: readonly Person[]): Promise<void> {
  await warmPeople();
  for (let left = TRIES_AFTER_CONFLICT; left > 0; left--) {
    const next = rememberPeople(remembered.people, people, Date.now());
    try {
      const version = await saveOwnRecord(kind, recordId, remembered.version, next);
      remembered = { version, people: next };
      return;
    } catch (error) {
      if (!isVersionConflict(error)) throw error;
      await fetchPeople();
    }
  }
}

let contactsOf: { readonly of: unknown; readonly contacts: readonly Person[] } = { of: null, contacts: [] };

/** Returns the contacts of the address book, rebuilt only after a change. */
function contactsIn(people: Book['people']): readonly Person[] {
  if (contactsOf.of !== people)
    contactsOf = {
      of: people,
      contacts: people
        .filter(({ isContact }) => isContact)
        .map(({ name, email }) => ({ name, address: email })),
    };
  return contactsOf.contacts;
}

/** Returns suggestions for the typed text: groups first, then contacts, best first. */
export function suggestPeople(text: string): readonly SuggestionView[] {
  const { people, groups } = findBook() ?? emptyBook;
  const contacts = contactsIn(people);
  return [...groupsFor(groups, contacts, text), ...rankPeople(contacts, remembered.people, text, Date.now())];
}
