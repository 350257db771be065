/**
 * State machine of a draft in a composer: a pure reducer from events to the state. The effects
 * (saves, copies on this device, locks, keys, sending) are in draft-session.ts and its parts.
 */
import type { Person } from '../../../crypto/mail/outgoing-message.ts';
import type { KnownKeys } from '../../../session/trust/recipient-keys.ts';
import type {
  Addressee,
  AddresseeKind,
  DraftFields,
  DraftFile,
  DraftPhase,
  DraftState,
  Wait,
} from './draft-state.ts';

/** A recipient as typed by the user. */
export type TypedAddressee = { readonly person: Person; readonly isInvalid: boolean };

/** Keys by address as typed; undefined for an address without a response. */
type FoundKeys = ReadonlyMap<string, KnownKeys | undefined>;
/** Contact names by address. */
type ContactNames = ReadonlyMap<string, string>;

export type DraftEvent =
  /** The user changed something that has to be saved. */
  | { readonly kind: 'written'; readonly fields: DraftFields }
  /** The editor normalized the initial content; the user changed nothing. */
  | { readonly kind: 'adopted'; readonly fields: DraftFields }
  | { readonly kind: 'addressed'; readonly field: AddresseeKind; readonly people: readonly TypedAddressee[] }
  | { readonly kind: 'keysFound'; readonly found: FoundKeys; readonly names: ContactNames }
  /** Shows an error in the composer, or clears it. */
  | { readonly kind: 'errorShown'; readonly text: string | null }
  | { readonly kind: 'filesChanged'; readonly files: readonly DraftFile[] }
  /** Part of the draft is not on the server. */
  | { readonly kind: 'touched' }
  | { readonly kind: 'saveBegun' }
  /** The server stores the draft under this id. */
  | { readonly kind: 'stored'; readonly draftId: string }
  | { readonly kind: 'saved'; readonly at: Date }
  | { readonly kind: 'saveFailed'; readonly reason: 'offline' | 'error'; readonly isKept: boolean }
  | { readonly kind: 'sendBegun' }
  /** A request for a waiting draft is being sent, and its response may be lost. */
  | { readonly kind: 'sendTried' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'sendFailed'; readonly text: string; readonly isOffline: boolean }
  | { readonly kind: 'recalled' }
  | { readonly kind: 'held'; readonly wait: Wait | null; readonly reason: string | null }
  | { readonly kind: 'waitEnded' }
  | { readonly kind: 'yielded' }
  | { readonly kind: 'closed' };

/** Returns whether saves and copies track the edits. */
export const isActive = (phase: DraftPhase): boolean => phase === 'writing' || phase === 'sending';

/** Returns whether the session has ended, unless the message is recalled. */
export const isOver = (phase: DraftPhase): boolean => phase === 'sent' || phase === 'closed';

/** Returns whether the server has the complete draft. */
export const isStored = ({ save }: Pick<DraftState, 'save'>): boolean =>
  save.kind === 'saved' || save.kind === 'new';

/**
 * A draft that belongs to another tab, or has ended, stays in that phase whatever the outcome of a
 * send in progress.
 */
const phaseFrom = (phase: DraftPhase, before: DraftPhase, next: DraftPhase): DraftPhase =>
  phase === before ? next : phase;

function touched(state: DraftState): DraftState {
  if (!isActive(state.phase) || state.save.kind === 'saving' || state.save.kind === 'changed') return state;
  return { ...state, save: { kind: 'changed' } };
}

function withPeople(state: DraftState, field: AddresseeKind, people: readonly TypedAddressee[]): DraftState {
  const before = new Map(state[field].map(one => [one.person.address, one.keys]));
  const next = people.map(one => ({ ...one, keys: before.get(one.person.address) ?? null }));
  return { ...state, [field]: next };
}

/**
 * An address typed before the address book was loaded gets its contact's name together with its
 * keys. Later responses do not change the name, because a retried request is recognized by its
 * content (draft-sender.ts).
 */
function withKeys(state: DraftState, found: FoundKeys, names: ContactNames): DraftState {
  const known = (list: readonly Addressee[]) =>
    list.map(({ person, keys, isInvalid }) => ({
      person: keys === null ? { ...person, name: person.name || (names.get(person.address) ?? '') } : person,
      keys: found.get(person.address) ?? keys,
      isInvalid,
    }));
  return { ...state, to: known(state.to), cc: known(state.cc), bcc: known(state.bcc) };
}

/** A waiting draft keeps waiting while there is no connection; any other failure is shown. */
function afterFailure(state: DraftState, text: string, isOffline: boolean): DraftState {
  const next = { ...state, phase: phaseFrom(state.phase, 'sending', 'writing') };
  return state.wait !== null && isOffline ? next : { ...next, wait: null, sendError: text };
}

/** Returns the draft after an event. */
export function reduceDraft(state: DraftState, event: DraftEvent): DraftState {
  switch (event.kind) {
    case 'written':
      return touched({ ...state, ...event.fields });
    case 'adopted':
      return { ...state, ...event.fields };
    case 'addressed':
      return touched(withPeople(state, event.field, event.people));
    case 'keysFound':
      return withKeys(state, event.found, event.names);
    case 'errorShown':
      return { ...state, sendError: event.text };
    case 'filesChanged':
      return { ...state, files: event.files };
    case 'touched':
      return touched(state);
    case 'saveBegun':
      return { ...state, save: { kind: 'saving' } };
    case 'stored':
      return { ...state, draftId: event.draftId };
    case 'saved':
      return { ...state, save: { kind: 'saved', at: event.at } };
    case 'saveFailed':
      return { ...state, save: { kind: 'failed', reason: event.reason, isKept: event.isKept } };
    case 'sendBegun':
      return { ...state, phase: phaseFrom(state.phase, 'writing', 'sending'), sendError: null };
    case 'sendTried':
      return { ...state, wait: state.wait && { ...state.wait, wasTried: true } };
    case 'sent':
      return { ...state, wait: null, phase: state.phase === 'elsewhere' ? 'elsewhere' : 'sent' };
    case 'sendFailed':
      return afterFailure(state, event.text, event.isOffline);
    case 'recalled':
      return { ...state, sendError: null, phase: state.phase === 'elsewhere' ? 'elsewhere' : 'writing' };
    case 'held':
      return { ...state, wait: event.wait, sendError: event.reason };
    case 'waitEnded':
      return { ...state, wait: null };
    case 'yielded':
      return { ...state, phase: state.phase === 'closed' ? 'closed' : 'elsewhere' };
    case 'closed':
      return { ...state, phase: 'closed' };
  }
}
