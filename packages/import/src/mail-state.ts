// Reads the header fields that programs add when they store a message in a file: read, starred,
// draft, and its labels. Status and X-Status are the traditional mbox fields, X-Mozilla-Status,
// -Status2 and -Keys are Thunderbird's, X-Gmail-Labels is Google's, and X-Keywords is Dovecot's and
// c-client's.

import {
  findHeader,
  findHeaderText,
  findIsoDate,
  type HeaderField,
  receivedDates,
} from '@keyfold/mail/mime/headers';
import { decodeFolderName } from './folder-name.ts';
import { readGmailLabels } from './gmail-labels.ts';
import type { MailFlags } from './items.ts';
import { NEVER_SET_MS } from './mbox/separator.ts';

const MOZILLA = { read: 0x0001, marked: 0x0004, expunged: 0x0008 } as const;
/**
 * Bits of X-Mozilla-Status2: deleted on its server, and the number of the single label of old
 * versions.
 */
const MOZILLA_2 = { deleted: 0x0020_0000, labelShift: 25, labelMask: 7 } as const;

export type MailState = {
  flags: MailFlags;
  /** Names the message was filed under besides its folder, including its places. */
  labels: string[];
  /** Names the message was tagged with; they do not say where it is. */
  tags: string[];
  /** Deleted in its mailbox, but still in the file because the file was never compacted. */
  isGone: boolean;
};

/**
 * Returns the fields above those the message was transported with. An exporting program puts its
 * fields there, and each server on the way adds its own above everything the sender wrote.
 */
function topOf(fields: readonly HeaderField[]): readonly HeaderField[] {
  const end = fields.findIndex(({ key }) => !key.startsWith('x-') && key !== 'status');
  return end < 0 ? fields : fields.slice(0, end);
}

/**
 * Fields that servers add above a message they accept. A message with none of them was written by
 * its owner only.
 */
const TRAVELLED = new Set(['received', 'return-path', 'delivered-to', 'dkim-signature']);

/**
 * Returns the fields that no sender can have written: those above the first field added by a server
 * in transit.
 */
function aboveTravel(fields: readonly HeaderField[]): readonly HeaderField[] {
  const end = fields.findIndex(({ key }) => TRAVELLED.has(key));
  return end < 0 ? fields : fields.slice(0, end);
}

function findBits(fields: readonly HeaderField[], key: string): number | null {
  const text = (findHeader(fields, key)?.value ?? '').trim();
  return /^[0-9a-f]{1,8}$/i.test(text) ? Number.parseInt(text, 16) : null;
}

/** Returns the tags that Thunderbird and IMAP servers gave the message. */
function markedWith(fields: readonly HeaderField[]): string[] {
  const label = ((findBits(fields, 'x-mozilla-status2') ?? 0) >>> MOZILLA_2.labelShift) & MOZILLA_2.labelMask;
  const named = ['x-mozilla-keys', 'x-keywords'].flatMap(key =>
    keywordTags(findHeaderText(fields, key) ?? ''),
  );
  const numbered = MOZILLA_LABELS[label - 1];
  return [...new Set(numbered === undefined ? named : [numbered, ...named])];
}

/** Reports whether the message was deleted but never compacted away. */
const isGone = (fields: readonly HeaderField[]): boolean =>
  ((findBits(fields, 'x-mozilla-status') ?? 0) & MOZILLA.expunged) !== 0 ||
  ((findBits(fields, 'x-mozilla-status2') ?? 0) & MOZILLA_2.deleted) !== 0 ||
  /D/.test(`${findHeader(fields, 'status')?.value ?? ''}${findHeader(fields, 'x-status')?.value ?? ''}`);

/**
 * Reads the state of a message. Without any indication the message counts as read, because imported
 * mail is old. A sender can write these fields too. Outside an mbox file, only fields at the top
 * count. Programs that write mbox files put their fields anywhere, so there a field at any place
 * decides whether a message is read or starred, but only fields that no sender can have written
 * decide whether it is a draft, where it belongs, and whether it is deleted.
 */
export function readMailState(fields: readonly HeaderField[], isInMbox: boolean): MailState {
  const top = topOf(fields);
  const heard = isInMbox ? fields : top;
  const trusted = isInMbox ? aboveTravel(fields) : top;
  const status = findHeader(heard, 'status')?.value;
  const marks = findHeader(heard, 'x-status')?.value ?? '';
  const mozilla = findBits(heard, 'x-mozilla-status');
  const gmail = readGmailLabels(findHeaderText(top, 'x-gmail-labels') ?? '');
  const isRead =
    mozilla === null
      ? status === undefined
        ? gmail.isRead
        : status.includes('R')
      : (mozilla & MOZILLA.read) !== 0;
  return {
    flags: {
      isRead,
      isStarred: marks.includes('F') || gmail.isStarred || ((mozilla ?? 0) & MOZILLA.marked) !== 0,
      isDraft:
        (findHeader(trusted, 'x-status')?.value ?? '').includes('T') || gmail.places.includes('drafts'),
      isSent: gmail.places.includes('sent'),
    },
    labels: gmail.labels,
    tags: markedWith(trusted),
    isGone: isGone(trusted),
  };
}

const DAY_MS = 86_400_000;

/** Reports whether mail can have been sent at this time. Unset clocks say 1970 or a future year. */
export const isPossibleTime = (time: Date, now = Date.now()): boolean =>
  time.getTime() > NEVER_SET_MS && time.getTime() < now + DAY_MS;

/**
 * Returns when a message arrived: the time stated by the last server in transit, then by earlier
 * ones, else the Date of the message; null when none of them is plausible.
 */
export function findArrival(fields: readonly HeaderField[]): Date | null {
  const sent = findIsoDate(findHeader(fields, 'date')?.value ?? '');
  for (const iso of [...receivedDates(fields), ...(sent === null ? [] : [sent])]) {
    const time = new Date(iso);
    if (isPossibleTime(time)) return time;
  }
  return null;
}

/** Fields of which any message has at least one. */
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

/** Reports whether this is the header of a message at all. */
export const isMailHeader = (fields: readonly HeaderField[]): boolean =>
  fields.some(field => MAIL_FIELDS.has(field.key));

/**
 * Reports whether this is the folder metadata that c-client and Pine keep in the first message of a
 * file.
 */
export const isFolderData = (fields: readonly HeaderField[]): boolean =>
  /FOLDER INTERNAL DATA/i.test(findHeader(fields, 'subject')?.value ?? '') &&
  /MAILER-DAEMON|Mail System Internal Data/i.test(findHeader(fields, 'from')?.value ?? '');

/** Thunderbird's five default labels, in order. */
const MOZILLA_LABELS: readonly string[] = ['Important', 'Work', 'Personal', 'To Do', 'Later'];

/** Keywords that programs and servers set for their own use. */
const THEIRS =
  /^(?:\$?(?:not|non)?-?junk|\$?forwarded|\$?redirected|\$?mdnsent|receipt-handled|\\.*|\$(?!label\d).*)$/i;

const KEYWORDS_MAX = 100;

/**
 * Returns the tags of IMAP or Thunderbird keywords, separated by blanks or commas. Thunderbird's
 * five default tags have numbered keywords, keywords of servers and programs are not tags, and any
 * other keyword is the name of its tag.
 */
export function keywordTags(text: string): string[] {
  const words = text.split(/[\s,]+/, KEYWORDS_MAX).filter(word => word !== '');
  return words.flatMap(word => {
    const number = /^\$label([1-5])$/i.exec(word)?.[1];
    if (number !== undefined) return MOZILLA_LABELS[Number(number) - 1] ?? [];
    if (THEIRS.test(word)) return [];
    // Thunderbird lowercases keywords even where capitals encode letters beyond ASCII.
    const name = (/&[^-&]*[A-Z]/.test(word) ? decodeFolderName(word) : word).replaceAll('_', ' ').trim();
    return name === '' ? [] : [name];
  });
}
