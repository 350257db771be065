// What programs write into the header of a mail when they put it into a file: whether it was read, marked, a draft, and
// which labels it had. Status and X-Status are those of mbox files since the beginning, X-Mozilla-Status is Thunderbird's,
// X-Gmail-Labels that of Google's exports, X-Keywords that of Dovecot's.

import { findHeader, findHeaderText, findIsoDate, type HeaderField } from '@keyfold/mail/mime/headers';
import type { MailFlags } from './items.ts';

const MOZILLA = { read: 0x0001, marked: 0x0004, expunged: 0x0008 } as const;

export interface MailState {
  flags: MailFlags;
  /** Names under which the mail was kept besides its folder, its places among them. */
  labels: string[];
  /** Removed where it came from; only the file was not tidied up since. */
  isGone: boolean;
}

/**
 * The fields above those a mail travelled with: whoever exports puts theirs there, and each server on the way of a mail puts
 * its own above all that the sender wrote.
 */
const topOf = (fields: readonly HeaderField[]): readonly HeaderField[] => {
  const end = fields.findIndex(({ key }) => !key.startsWith('x-') && key !== 'status');
  return end < 0 ? fields : fields.slice(0, end);
};

/** What servers put above a mail that they took in; in a mail that has none of it nobody but its owner wrote. */
const TRAVELLED = new Set(['received', 'return-path', 'delivered-to', 'dkim-signature']);

/** The fields that no sender wrote: those above the first of a server's on the way. */
const aboveTravel = (fields: readonly HeaderField[]): readonly HeaderField[] => {
  const end = fields.findIndex(({ key }) => TRAVELLED.has(key));
  return end < 0 ? fields : fields.slice(0, end);
};

const isWord = (text: string): boolean => text !== '';

/** Labels with commas between them; one that has a comma itself stands in quotes. */
const splitLabels = (text: string): string[] =>
  Array.from(text.matchAll(/[ \t]*(?:"([^"]*)"[ \t]*(?=,|$)|([^,]+))/g), ([, quoted, plain]) =>
    (quoted ?? plain ?? '').trim(),
  ).filter(isWord);

const findMozillaBits = (fields: readonly HeaderField[]): number | null => {
  const text = findHeader(fields, 'x-mozilla-status')?.value ?? '';
  return /^[0-9a-f]{1,8}$/i.test(text) ? Number.parseInt(text, 16) : null;
};

/** Google's words for what is no label but a state. */
const GMAIL_STATES = /^(?:unread|opened|starred|important|chat|category .*)$/i;

/**
 * Reads them. Where nothing tells whether the mail was read, it was: what is brought in is old. A sender can write such fields
 * too: outside of an mbox file, whose programs write theirs at any place, only those at the top count. In an mbox a field at
 * any place says whether a mail was read or marked, and only one that no sender wrote what it is, where it belongs, and that
 * it is gone.
 */
export function readMailState(fields: readonly HeaderField[], isInMbox: boolean): MailState {
  const top = topOf(fields);
  const heard = isInMbox ? fields : top;
  const trusted = isInMbox ? aboveTravel(fields) : top;
  const status = findHeader(heard, 'status')?.value;
  const marks = findHeader(heard, 'x-status')?.value ?? '';
  const mozilla = findMozillaBits(heard);
  const gmail = splitLabels(findHeaderText(top, 'x-gmail-labels') ?? '');
  const keywords = (findHeaderText(trusted, 'x-keywords') ?? '').split(/[\s,]+/).filter(isWord);
  const labels = [...gmail, ...keywords];
  const has = (name: string) => gmail.some(label => label.toLowerCase() === name);
  const isRead =
    mozilla === null
      ? status === undefined
        ? !has('unread')
        : status.includes('R')
      : (mozilla & MOZILLA.read) !== 0;
  return {
    flags: {
      isRead,
      isStarred: marks.includes('F') || has('starred') || ((mozilla ?? 0) & MOZILLA.marked) !== 0,
      isDraft: (findHeader(trusted, 'x-status')?.value ?? '').includes('T') || has('draft') || has('drafts'),
      isSent: has('sent'),
    },
    labels: labels.filter(label => !GMAIL_STATES.test(label)),
    isGone: ((findMozillaBits(trusted) ?? 0) & MOZILLA.expunged) !== 0,
  };
}

/** When a mail arrived: what the last server on its way wrote, else its own Date; null when neither is a time. */
export function findArrival(fields: readonly HeaderField[]): Date | null {
  const received = findHeader(fields, 'received')?.value;
  const iso =
    (received === undefined ? null : findIsoDate(received.slice(received.lastIndexOf(';') + 1))) ??
    findIsoDate(findHeader(fields, 'date')?.value ?? '');
  return iso === null ? null : new Date(iso);
}

/** Fields that a mail has, whatever else it is. */
const MAIL_FIELDS = new Set([
  'from',
  'to',
  'date',
  'subject',
  'message-id',
  'received',
  'sender',
  'return-path',
  'mime-version',
  'content-type',
  'cc',
  'bcc',
  'delivered-to',
  'reply-to',
]);

/** Whether this is the header of a mail at all. */
export const isMailHeader = (fields: readonly HeaderField[]): boolean =>
  fields.some(field => MAIL_FIELDS.has(field.key));
