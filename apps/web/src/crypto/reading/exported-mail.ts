// Writes one message for an export (docs/export.md): the message byte for byte, preceded by a block
// of fields with its state in Keyfold, and for MBOX the separator line.
import type { Email } from '@keyfold/contract';
import { encodeWords } from '@keyfold/mail/mime/encoded-words';
import { parseHeadersOnly } from '@keyfold/mail/mime/parse';
import { formatHeader, lineEndOf } from '@keyfold/mail/mime/stored-headers';
import { plainName } from '../../lib/zip.ts';

/** State of a message that the export records beside its bytes. */
export type ExportedState = Pick<
  Email,
  | 'alert'
  | 'archived'
  | 'deleted'
  | 'draft'
  | 'flagged'
  | 'read'
  | 'received_at'
  | 'sent'
  | 'starred'
  | 'tags'
>;

const VERSION = 1;
const flags = ['read', 'starred', 'archived', 'deleted', 'flagged', 'draft', 'sent', 'alert'] as const;

/** Names that other programs use for the same states, followed by the tags. */
function commonLabels(mail: ExportedState): string[] {
  const places = [
    mail.sent && 'Sent',
    mail.draft && 'Drafts',
    mail.deleted && 'Trash',
    mail.flagged && 'Spam',
    mail.archived && 'Archived',
    !(mail.sent || mail.draft || mail.deleted || mail.flagged || mail.archived) && 'Inbox',
    mail.starred && 'Starred',
    !mail.read && 'Unread',
  ];
  return [...places.filter(name => name !== false), ...mail.tags].map(name =>
    /[",]/.test(name) ? `"${name.replaceAll('"', '')}"` : name,
  );
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');

/** Returns the tags as words of X-Keywords, which contain no spaces. */
const keywordsOf = ({ tags }: ExportedState): string =>
  tags.map(tag => encodeWords(tag.replace(/[\s,]+/g, '_'))).join(' ');

/**
 * Returns Thunderbird's status number: 1 read, 4 starred. A message in Deleted is still in the
 * file, so 8 is never set.
 */
const mozillaBits = ({ read, starred }: ExportedState): string =>
  ((read ? 1 : 0) | (starred ? 4 : 0)).toString(16).padStart(4, '0');

/**
 * Returns the fields before a message, with the same line endings as `raw`. A message can contain
 * the same fields, and readers take the first one: so every field is written, even when empty.
 */
export function exportFields(mail: ExportedState, raw: Uint8Array, sha256Hex: string): string {
  const common = `${mail.starred ? 'F' : ''}${mail.draft ? 'T' : ''}${mail.deleted ? 'D' : ''}`;
  const block = [
    formatHeader('X-Keyfold-Export', `${VERSION}; size=${raw.length}; sha256=${sha256Hex}`),
    formatHeader('X-Keyfold-Received', mail.received_at),
    formatHeader('X-Keyfold-Flags', flags.filter(name => mail[name]).join(' ') || 'none'),
    // A tag may contain any character, so each one is escaped into a single word.
    mail.tags.length === 0 ? '' : formatHeader('X-Keyfold-Tags', mail.tags.map(encodeURIComponent).join(' ')),
    formatHeader('X-Gmail-Labels', encodeWords(commonLabels(mail).join(','))),
    formatHeader('Status', mail.read ? 'RO' : 'O'),
    formatHeader('X-Status', common),
    formatHeader('X-Keywords', keywordsOf(mail)),
    formatHeader('X-Mozilla-Status', mozillaBits(mail)),
  ].join('');
  return lineEndOf(raw) === '\n' ? block.replaceAll('\r\n', '\n') : block;
}

/** Returns the SHA-256 in hexadecimal. */
export const sha256Hex = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));

const encoder = new TextEncoder();
const NAME_MAX_CHARACTERS = 80;

/**
 * Returns the file name of a message: its position in the export, its day, and its subject in a
 * form that file systems accept.
 */
export function emlName(number: number, mail: ExportedState, raw: Uint8Array): string {
  const subject = (parseHeadersOnly(raw).subject ?? '').slice(0, NAME_MAX_CHARACTERS).trim();
  const day = mail.received_at.slice(0, 10);
  return `mail/${plainName(`${String(number).padStart(6, '0')} ${day} ${subject}`)}.eml`;
}

/** Returns a message as a separate file. */
export const asEml = (fields: string, raw: Uint8Array): Uint8Array<ArrayBuffer>[] => [
  encoder.encode(fields),
  raw as Uint8Array<ArrayBuffer>,
];

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a time like the C function asctime (RFC 4155), in UTC. */
function asctime(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(':');
  const day = String(at.getUTCDate()).padStart(2, ' ');
  return `${days[at.getUTCDay()]} ${months[at.getUTCMonth()]} ${day} ${time} ${at.getUTCFullYear()}`;
}

const [lf, quote] = [0x0a, 0x3e];
const from = encoder.encode('From ');

function isFromAt(bytes: Uint8Array, at: number): boolean {
  for (const [index, byte] of from.entries()) if (bytes[at + index] !== byte) return false;
  return true;
}

/**
 * Reports the positions of lines that begin with "From ", optionally preceded by quote characters,
 * in order.
 */
function eachFromLine(bytes: Uint8Array, take: (at: number) => void): void {
  for (let line = 0; line >= 0 && line < bytes.length; ) {
    let at = line;
    while (bytes[at] === quote) at += 1;
    if (bytes[at] === from[0] && isFromAt(bytes, at)) take(line);
    const end = bytes.indexOf(lf, line);
    line = end === -1 ? -1 : end + 1;
  }
}

/**
 * Returns the message with one more quote character before each such line. Allocates nothing per
 * line: a message may consist of such lines.
 */
function quoteFromLines(raw: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  let count = 0;
  eachFromLine(raw, () => {
    count += 1;
  });
  if (count === 0) return raw;
  const quoted = new Uint8Array(raw.length + count);
  // The message starts at the end of the buffer and moves forward line by line.
  quoted.set(raw, count);
  let [done, to] = [0, 0];
  const move = (end: number): void => {
    quoted.copyWithin(to, count + done, count + end);
    to += end - done;
    done = end;
  };
  eachFromLine(raw, at => {
    move(at);
    quoted[to] = quote;
    to += 1;
  });
  move(raw.length);
  return quoted;
}

/**
 * Returns a message as an entry of an "mboxrd" MBOX file: each line that could be a separator gets
 * one more ">".
 */
export function asMbox(fields: string, raw: Uint8Array, receivedAt: string): Uint8Array<ArrayBuffer>[] {
  const eol = lineEndOf(raw);
  return [
    encoder.encode(`From MAILER-DAEMON ${asctime(new Date(receivedAt))}${eol}${fields}`),
    quoteFromLines(raw as Uint8Array<ArrayBuffer>),
    encoder.encode(raw.at(-1) === lf ? eol : `${eol}${eol}`),
  ];
}
