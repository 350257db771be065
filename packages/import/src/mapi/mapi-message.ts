// Writes an item as an RFC 5322 message. Keyfold's composer builds the body. The headers are the
// original ones if Outlook kept them; otherwise they are derived from the properties.

import type { Mailbox } from '@keyfold/mail/addresses';
import { concatBytes, utf8 } from '@keyfold/mail/bytes';
import { type ComposeFile, composeMessage } from '@keyfold/mail/mime/compose';
import { encodeWords } from '@keyfold/mail/mime/encoded-words';
import { findHeader, type HeaderField, parseReferences, readHeaderBlock } from '@keyfold/mail/mime/headers';
import { type ParsedAttachment, type ParsedMessage, parseMessage } from '@keyfold/mail/mime/parse';
import { formatHeader } from '@keyfold/mail/mime/stored-headers';
import { type Attachments, type MissingFile, readAttachments } from './attachments.ts';
import { readBodies } from './bodies.ts';
import { readCalendar } from './calendar.ts';
import { type MapiItem, messageClassOf, subjectOf } from './item.ts';
import { NOBODY, readRecipients, readSenders } from './people.ts';
import { TAGS } from './tags.ts';

/** A message, and the files of it that could not be read. */
export type MapiMessage = {
  raw: Uint8Array<ArrayBuffer>;
  missing: MissingFile[];
};

/** Fields that describe only the body, which is rebuilt. */
const OF_THE_BODY = /^(mime-version|content-.*|x-keyfold-.*|lines)$/;
const VALUE_MAX_CHARACTERS = 16_384;

/** Re-encodes one kept field, so that an embedded line that is not a header cannot do harm. */
function writeField({ name, value }: HeaderField): string {
  const printable = value.replace(/\p{Cc}+/gu, ' ').slice(0, VALUE_MAX_CHARACTERS);
  const isAscii = /^[\u0020-\u007e]*$/.test(printable);
  if (!/^[\u0021-\u0039\u003b-\u007e]{1,70}$/.test(name)) return '';
  return formatHeader(name, isAscii ? printable : encodeWords(printable));
}

/**
 * Returns the original headers without those of the body; '' when they name no sender or no date.
 */
async function readTransportHeaders(item: MapiItem): Promise<string> {
  const text = await item.properties.text(TAGS.transportHeaders);
  if (text === '') return '';
  const { fields } = readHeaderBlock(
    utf8(text.replace(/^Microsoft Mail Internet Headers[^\r\n]*\r?\n/i, '')),
  );
  if (findHeader(fields, 'from') === null || findHeader(fields, 'date') === null) return '';
  const kept = fields.filter(({ key }) => !OF_THE_BODY.test(key));
  // Fields that may occur once only: readers differ in which of several they use.
  const seen = new Set<string>();
  return kept
    .filter(({ key }) => {
      const isSecond = /^(from|to|cc|subject|date|message-id|sender|reply-to)$/.test(key) && seen.has(key);
      seen.add(key);
      return !isSecond;
    })
    .map(writeField)
    .join('');
}

/** Returns when an item arrived, was sent or was created; null when it states none of these. */
export async function readItemDate(item: MapiItem): Promise<Date | null> {
  const bag = item.properties;
  return (
    (await bag.date(TAGS.deliveryTime)) ??
    (await bag.date(TAGS.submitTime)) ??
    (await bag.date(TAGS.createdAt))
  );
}

/** Splits a message into the fields that describe its body, and the body. */
function bodyOf(message: Uint8Array): { fields: string; rest: Uint8Array } {
  const { fields, bodyStart } = readHeaderBlock(message);
  const own = fields.filter(({ key }) => key.startsWith('content-'));
  return { fields: own.map(writeField).join(''), rest: message.subarray(bodyStart) };
}

/**
 * Returns the body of a signed message exactly as its sender signed it; null for any other message.
 * Outlook stores it whole, as the only file of a message of this class.
 */
async function findSignedBody(item: MapiItem, files: readonly ComposeFile[]): Promise<Uint8Array | null> {
  const [file] = files;
  if (!(await messageClassOf(item)).startsWith('IPM.NOTE.SMIME.MULTIPARTSIGNED')) return null;
  if (file === undefined || files.length > 1 || !(file.content instanceof Uint8Array)) return null;
  const type = findHeader(readHeaderBlock(file.content).fields, 'content-type')?.value ?? '';
  return /^multipart\/signed\s*;/i.test(type) ? file.content : null;
}

async function digestOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes)));
  return Array.from(digest.subarray(0, 16), byte => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Builds an id for a message that has none, from the file, the item and its content. The same
 * message gets the same id when the file is read again, and no other message gets it, even if its
 * file has no name of its own.
 */
async function makeMessageId(
  item: MapiItem,
  says: readonly unknown[],
  files: readonly ComposeFile[],
): Promise<string> {
  const parts = await Promise.all(
    files.map(async ({ filename, mimeType, content }) => [
      filename,
      content instanceof Uint8Array ? content.length : 0,
      // A nested message is rebuilt each time, with different boundaries.
      content instanceof Uint8Array && mimeType !== 'message/rfc822' ? await digestOf(content) : '',
    ]),
  );
  const place = `${item.origin}-${item.depth}-${item.name}`;
  return `<${place}-${await digestOf(utf8(JSON.stringify([says, parts])))}@import.invalid>`;
}

type Written = Awaited<ReturnType<typeof readBodies>> & Attachments;

async function readWritten(item: MapiItem): Promise<Written> {
  const bodies = await readBodies(item);
  const attachments = await readAttachments(item, bodies.html, async (inner, innerMissing) => {
    const letter = await writeMapiMessage(inner);
    innerMissing.push(...letter.missing);
    return letter.raw;
  });
  return { ...bodies, ...attachments };
}

/** Composes the message of an item with these bodies and files. */
async function compose(item: MapiItem, { text, html, files }: Written): Promise<Uint8Array<ArrayBuffer>> {
  const bag = item.properties;
  const date = (await bag.date(TAGS.submitTime)) ?? (await readItemDate(item));
  const { from, sender } = await readSenders(item);
  const people = await readRecipients(item);
  const own = (await bag.text(TAGS.messageId)).trim();
  const subject = await subjectOf(item);
  const kept = await readTransportHeaders(item);
  const messageId =
    parseReferences(own)[0] ??
    (await makeMessageId(item, [from, sender, people, subject, date, text, html, kept], files));
  const composed = composeMessage({
    from,
    sender,
    ...people,
    subject,
    date: date ?? new Date(0),
    messageId,
    inReplyTo: parseReferences(await bag.text(TAGS.inReplyTo))[0],
    references: parseReferences(await bag.text(TAGS.references)).slice(-50),
    text,
    html,
    calendar: (await readCalendar(item, from, people)) ?? undefined,
    files,
  });
  const signed = await findSignedBody(item, files);
  if (kept === '' && date !== null && signed === null) return composed as Uint8Array<ArrayBuffer>;
  const made = readHeaderBlock(composed).fields.filter(
    ({ key }) => !OF_THE_BODY.test(key) && (date !== null || key !== 'date'),
  );
  const id = /^message-id:/im.test(kept) ? '' : formatHeader('Message-ID', messageId);
  const head = kept === '' ? made.map(writeField).join('') : `${kept}${id}`;
  const { fields, rest } = bodyOf(signed ?? composed);
  const version = formatHeader('MIME-Version', '1.0');
  return concatBytes([utf8(`${head}${version}${fields}\r\n`), rest]);
}

/**
 * Writes an item as a message. Throws an error known to {@link reasonOf} when the item cannot be
 * read.
 */
export async function writeMapiMessage(item: MapiItem): Promise<MapiMessage> {
  const written = await readWritten(item);
  return { raw: await compose(item, written), missing: written.missing };
}

/**
 * Shows a person without an address by name, instead of by the placeholder address that a message
 * requires.
 */
function withoutMadeUp({ name, address }: Mailbox): Mailbox[] {
  const isMadeUp = address === NOBODY || (name !== '' && address.endsWith('@exchange.invalid'));
  if (!isMadeUp) return [{ name, address }];
  return name === '' ? [] : [{ name, address: '' }];
}

/**
 * Opens an item as a message for display, with its files next to its text rather than written into
 * it. Throws as {@link writeMapiMessage} does.
 */
export async function openMapiMessage(item: MapiItem): Promise<ParsedMessage> {
  const written = await readWritten(item);
  const isSigned = (await findSignedBody(item, written.files)) !== null;
  const raw = await compose(
    item,
    isSigned
      ? written
      : { ...written, text: written.text ?? (written.html === undefined ? '' : undefined), files: [] },
  );
  const parsed = await parseMessage(raw, { isPayload: false });
  const message = {
    ...parsed,
    from: parsed.from === null ? null : (withoutMadeUp(parsed.from)[0] ?? null),
    to: parsed.to.flatMap(withoutMadeUp),
    cc: parsed.cc.flatMap(withoutMadeUp),
    bcc: parsed.bcc.flatMap(withoutMadeUp),
  };
  if (isSigned) return message;
  const files = written.files.flatMap(({ filename, mimeType, contentId, content }): ParsedAttachment[] =>
    content instanceof Uint8Array
      ? [
          {
            filename,
            mimeType,
            disposition: contentId === undefined ? 'attachment' : 'inline',
            contentId: contentId === undefined ? null : `<${contentId}>`,
            related: contentId !== undefined,
            description: null,
            method: null,
            content,
            external: null,
          },
        ]
      : [],
  );
  return { ...message, attachments: [...message.attachments, ...files] };
}
