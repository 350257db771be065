// What programs write into the header of a mail when they put it into a file: whether it was read, marked, a draft, and
// which labels it had. Status and X-Status are those of mbox files since the beginning, X-Mozilla-Status, -Status2 and -Keys
// are Thunderbird's, X-Gmail-Labels that of Google's exports, X-Keywords that of Dovecot's and of c-client's.

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
/** Bits of X-Mozilla-Status2: deleted at the server it was on, and the number of the one label of old versions. */
const MOZILLA_2 = { deleted: 0x0020_0000, labelShift: 25, labelMask: 7 } as const;

export type MailState = {
  flags: MailFlags;
  /** Names under which the mail was kept besides its folder, its places among them. */
  labels: string[];
  /** Names that it was marked with; they say nothing of where it is. */
  tags: string[];
  /** Removed where it came from; only the file was not tidied up since. */
  isGone: boolean;
};

/**
 * The fields above those a mail travelled with: whoever exports puts theirs there, and each server on the way of a mail puts
 * its own above all that the sender wrote.
 */
function topOf(fields: readonly HeaderField[]): readonly HeaderField[] {
  const end = fields.findIndex(({ key }) => !key.startsWith('x-') && key !== 'status');
  return end < 0 ? fields : fields.slice(0, end);
}

/** What servers put above a mail that they took in; in a mail that has none of it nobody but its owner wrote. */
const TRAVELLED = new Set(['received', 'return-path', 'delivered-to', 'dkim-signature']);

/** The fields that no sender wrote: those above the first of a server's on the way. */
function aboveTravel(fields: readonly HeaderField[]): readonly HeaderField[] {
  const end = fields.findIndex(({ key }) => TRAVELLED.has(key));
  return end < 0 ? fields : fields.slice(0, end);
}

function findBits(fields: readonly HeaderField[], key: string): number | null {
  const text = (findHeader(fields, key)?.value ?? '').trim();
  return /^[0-9a-f]{1,8}$/i.test(text) ? Number.parseInt(text, 16) : null;
}

/** The tags that Thunderbird and servers of IMAP know a mail by. */
function markedWith(fields: readonly HeaderField[]): string[] {
  const label = ((findBits(fields, 'x-mozilla-status2') ?? 0) >>> MOZILLA_2.labelShift) & MOZILLA_2.labelMask;
  const named = ['x-mozilla-keys', 'x-keywords'].flatMap(key =>
    keywordTags(findHeaderText(fields, key) ?? ''),
  );
  const numbered = MOZILLA_LABELS[label - 1];
  return [...new Set(numbered === undefined ? named : [numbered, ...named])];
}

/** Whether it was thrown away, and only the file was not tidied up since. */
const isGone = (fields: readonly HeaderField[]): boolean =>
  ((findBits(fields, 'x-mozilla-status') ?? 0) & MOZILLA.expunged) !== 0 ||
  ((findBits(fields, 'x-mozilla-status2') ?? 0) & MOZILLA_2.deleted) !== 0 ||
  /D/.test(`${findHeader(fields, 'status')?.value ?? ''}${findHeader(fields, 'x-status')?.value ?? ''}`);

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

/** A time at which mail can have been sent: clocks that were not set say 1970, or years to come. */
export const isPossibleTime = (time: Date, now = Date.now()): boolean =>
  time.getTime() > NEVER_SET_MS && time.getTime() < now + DAY_MS;

/**
 * When a mail arrived: what a server on its way wrote, the last one first, else its own Date; null when none is a time at
 * which it can have been.
 */
export function findArrival(fields: readonly HeaderField[]): Date | null {
  const sent = findIsoDate(findHeader(fields, 'date')?.value ?? '');
  for (const iso of [...receivedDates(fields), ...(sent === null ? [] : [sent])]) {
    const time = new Date(iso);
    if (isPossibleTime(time)) return time;
  }
  return null;
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

/** Whether it is no mail but what c-client and Pine keep about a folder in its first message. */
export const isFolderData = (fields: readonly HeaderField[]): boolean =>
  /FOLDER INTERNAL DATA/i.test(findHeader(fields, 'subject')?.value ?? '') &&
  /MAILER-DAEMON|Mail System Internal Data/i.test(findHeader(fields, 'from')?.value ?? '');

/** Thunderbird's own five, in their order. */
const MOZILLA_LABELS: readonly string[] = ['Important', 'Work', 'Personal', 'To Do', 'Later'];

/** What programs and servers write for themselves. */
const THEIRS =
  /^(?:\$?(?:not|non)?-?junk|\$?forwarded|\$?redirected|\$?mdnsent|receipt-handled|\\.*|\$(?!label\d).*)$/i;

const KEYWORDS_MAX = 100;

/**
 * The tags of keywords, of IMAP and of Thunderbird's files, with blanks or commas between them. The five that Thunderbird begins
 * with have numbers for names, those of servers and programs are no tags, and of all others the name is the keyword.
 */
export function keywordTags(text: string): string[] {
  const words = text.split(/[\s,]+/, KEYWORDS_MAX).filter(word => word !== '');
  return words.flatMap(word => {
    const number = /^\$label([1-5])$/i.exec(word)?.[1];
    if (number !== undefined) return MOZILLA_LABELS[Number(number) - 1] ?? [];
    if (THEIRS.test(word)) return [];
    // Thunderbird takes capitals away also where they mean letters beyond ASCII.
    const name = (/&[^-&]*[A-Z]/.test(word) ? decodeFolderName(word) : word).replaceAll('_', ' ').trim();
    return name === '' ? [] : [name];
  });
}
