// Extracts the indexed text of a message: people, subject, texts, file names, also of the messages
// inside it in any container (containers.ts). Runs in the reading worker.
import type { Email } from '@keyfold/contract';
import type { Mailbox } from '@keyfold/mail/addresses';
import { isMessageFile } from '@keyfold/mail/mime/container-kind';
import { htmlToText } from '@keyfold/mail/mime/html-text';
import type { ParsedAttachment, ParsedMessage } from '@keyfold/mail/mime/parse';
import { DOC_FLAGS, FIELD_MAX_CHARACTERS, type IndexedMail } from '@keyfold/search/index';
import { type OpenContainer, OpenerStopped } from './container-opener.ts';

/** Limits for messages inside a message: depth, number, and total bytes. */
const NESTED_MAX = 3;
const MESSAGES_MAX = 20;
const MESSAGES_MAX_BYTES = 20_971_520;
/**
 * Maximum characters read from the plain-text alternative of an HTML body: it seldom contains
 * anything else.
 */
const TWIN_MAX_CHARACTERS = 4_000;

const peopleText = (people: readonly (Mailbox | null)[]): string =>
  people.flatMap(person => (person === null ? [] : [`${person.name} ${person.address}`])).join('\n');

const bodyText = ({ html, text }: ParsedMessage): string =>
  html === null ? (text ?? '') : `${htmlToText(html)}\n${(text ?? '').slice(0, TWIN_MAX_CHARACTERS)}`;

/** Fetches the content of a file in an encrypted container. */
export type FetchFile = (external: NonNullable<ParsedAttachment['external']>) => Promise<Uint8Array>;

/** Functions that fetch files, and open attached messages within a time limit. */
export type FileReaders = { readonly fetchFile: FetchFile; readonly openContainer: OpenContainer };

type Found = FileReaders & {
  readonly body: string[];
  readonly files: string[];
  messagesLeft: number;
  bytesLeft: number;
};

/**
 * Opens a file as a message. Returns null when the file cannot be fetched or read: search then
 * finds it by its name.
 */
async function openMessage(
  { content, external }: ParsedAttachment,
  found: Found,
): Promise<ParsedMessage | null> {
  const size = external?.sizeBytes ?? content.length;
  if (size === 0 || found.messagesLeft === 0 || size > found.bytesLeft) return null;
  found.messagesLeft -= 1;
  found.bytesLeft -= size;
  try {
    return await found.openContainer(external === null ? content : await found.fetchFile(external));
  } catch (error) {
    if (error instanceof OpenerStopped) found.messagesLeft = 0;
    return null;
  }
}

/** Collects texts and file names of a message and of the messages inside it. */
async function collect(parsed: ParsedMessage, found: Found, depth: number): Promise<void> {
  found.body.push(bodyText(parsed));
  for (const file of parsed.attachments) {
    if (file.filename !== null) found.files.push(file.filename);
    if (file.description !== null) found.files.push(file.description);
    if (depth >= NESTED_MAX || file.isUnpacked === true || !isMessageFile(file)) continue;
    const inner = await openMessage(file, found);
    if (inner === null) continue;
    found.body.push(inner.subject ?? '', peopleText([inner.from, ...inner.to]));
    await collect(inner, found, depth + 1);
  }
}

/** Returns the index entry of a parsed message. */
export async function indexedMail(
  mail: Email,
  parsed: ParsedMessage,
  readers: FileReaders,
): Promise<IndexedMail> {
  const found: Found = {
    body: [],
    files: [],
    ...readers,
    messagesLeft: MESSAGES_MAX,
    bytesLeft: MESSAGES_MAX_BYTES,
  };
  await collect(parsed, found, 0);
  const hasFiles = mail.attachments.length > 0 || parsed.attachments.some(({ related }) => !related);
  return {
    id: mail.id,
    at: Date.parse(mail.received_at) / 1000,
    flags:
      (hasFiles ? DOC_FLAGS.attachment : 0) |
      (mail.sent ? DOC_FLAGS.sent : 0) |
      (mail.draft ? DOC_FLAGS.draft : 0),
    // Cut to the indexed length: the texts of many messages are kept in memory, and each may be
    // megabytes long.
    texts: {
      from: peopleText([parsed.from, ...parsed.replyTo]).slice(0, FIELD_MAX_CHARACTERS),
      to: peopleText([...parsed.to, ...parsed.cc, ...parsed.bcc]).slice(0, FIELD_MAX_CHARACTERS),
      subject: (parsed.subject ?? '').slice(0, FIELD_MAX_CHARACTERS),
      body: found.body.join('\n').slice(0, FIELD_MAX_CHARACTERS),
      filename: found.files.join('\n').slice(0, FIELD_MAX_CHARACTERS),
    },
  };
}
