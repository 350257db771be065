// The sealed record kept with a scheduled message: its recipients, because the sent message has no
// Bcc field, and the encryption agreed for each of them when Send was pressed. The server has the
// clear headers of a scheduled message and could forge them, so recipients are never taken from
// there. The server deletes the record when the message has been sent or is saved as a draft.

import { scheduledBccRecord } from '@keyfold/contract/calls/records';
import { CallError } from '@keyfold/contract/client';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { keys } from '../../../crypto/key-client.ts';
import type { OpenedMail } from '../../../crypto/mail/mail-opener.ts';
import type { Person } from '../../../crypto/mail/outgoing-message.ts';
import { t } from '../../../lib/language.ts';
import { recordsClient } from '../../../session/calls/clients/records.ts';
import type { Addressee, DraftState } from './draft-state.ts';
import { findObjection, waitFor } from './waiting-drafts.ts';

export type KeptSchedule = {
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  readonly bcc: readonly Person[];
  /**
   * ISO time of the scheduled send. It equals the date sealed into the message, which proves that
   * record and message belong together.
   */
  readonly at: string;
  /** By address, the digest of the recipient's keys, or `plain`. */
  readonly agreed: Readonly<Record<string, string>>;
};

type Parsed = Pick<OpenedMail['parsed'], 'to' | 'cc' | 'date'>;

const people = (list: readonly Addressee[]): Person[] => list.map(({ person }) => person);

function isPerson(one: unknown): one is Person {
  const { name, address } = (one ?? {}) as { readonly name?: unknown; readonly address?: unknown };
  return typeof name === 'string' && typeof address === 'string';
}

const arePeople = (list: unknown): boolean => Array.isArray(list) && list.every(isPerson);

function isKept(value: unknown): value is KeptSchedule {
  const { to, cc, bcc, at, agreed } = (value ?? {}) as { readonly [Field in keyof KeptSchedule]?: unknown };
  return (
    [to, cc, bcc].every(arePeople) && typeof at === 'string' && typeof agreed === 'object' && agreed !== null
  );
}

/** Stores the record of a scheduled message; a message that has already been sent needs none. */
export async function keepSchedule(mailId: string, draft: DraftState, at: Date): Promise<void> {
  const { kind, id } = scheduledBccRecord(mailId);
  const kept: KeptSchedule = {
    to: people(draft.to),
    cc: people(draft.cc),
    bcc: people(draft.bcc),
    at: at.toISOString(),
    agreed: waitFor(draft, { copies: 1, at }).agreed,
  };
  const sealed = await keys().sealOwnRecord(kind, id, kept);
  await recordsClient.save({ kind, id, version: 0, ...sealed }).catch(error => {
    if (!(error instanceof CallError && error.status === 404)) throw error;
  });
}

const sameSecond = (a: string, b: string | null): boolean =>
  b !== null && Math.floor(Date.parse(a) / 1000) === Math.floor(Date.parse(b) / 1000);

/** Returns the record of exactly this message, or null. Rejects with CallError. */
export async function readSchedule(mailId: string, message: Parsed): Promise<KeptSchedule | null> {
  const { kind, id } = scheduledBccRecord(mailId);
  // Lists only this record: ids are ordered, and `after` excludes the id it names.
  const { data } = await recordsClient.list({ kind, after: id.slice(0, -1), count: 20 });
  const record = data.find(one => one.id === id);
  if (record === undefined) return null;
  const kept = await keys()
    .openRecord(kind, id, record.sealed)
    .catch(() => null);
  return isKept(kept) && sameSecond(kept.at, message.date) ? kept : null;
}

const addresses = (list: readonly Person[]): string =>
  list
    .map(({ address }) => normalizeAddress(address))
    .sort()
    .join(' ');

/**
 * Returns why a message with known keys must not be sent immediately in its current form; null when
 * it matches what was agreed.
 */
export function findDifference(draft: DraftState, kept: KeptSchedule | null): string | null {
  if (
    kept === null ||
    (['to', 'cc', 'bcc'] as const).some(kind => addresses(people(draft[kind])) !== addresses(kept[kind]))
  )
    return t('Couldn’t confirm the recipients. Review the message and resend it.');
  return findObjection(draft, kept);
}
