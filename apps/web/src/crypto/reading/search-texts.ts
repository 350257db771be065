// What of a mail is indexed: people, subject, texts, file names, also of the messages in it, whatever they are kept in
// (containers.ts). Runs in the reading worker.
import type { Email } from '@keyfold/contract';
import type { Mailbox } from '@keyfold/mail/addresses';
import { isMessageFile } from '@keyfold/mail/mime/container-kind';
import { htmlToText } from '@keyfold/mail/mime/html-text';
import type { ParsedAttachment, ParsedMessage } from '@keyfold/mail/mime/parse';
import { DOC_FLAGS, FIELD_MAX_CHARACTERS, type IndexedMail } from '@keyfold/search/index';
import { type OpenContainer, OpenerStopped } from './container-opener.ts';

/** Messages inside messages that are read, in depth and for one mail, and bytes of them altogether. */
const NESTED_MAX = 3;
const MESSAGES_MAX = 20;
const MESSAGES_MAX_BYTES = 20_971_520;
/** Characters of the text form beside an HTML form that are read too: it seldom says more. */
const TWIN_MAX_CHARACTERS = 4_000;

const peopleText = (people: readonly (Mailbox | null)[]): string =>
  people.flatMap(person => (person === null ? [] : [`${person.name} ${person.address}`])).join('\n');

const bodyText = ({ html, text }: ParsedMessage): string =>
  html === null ? (text ?? '') : `${htmlToText(html)}\n${(text ?? '').slice(0, TWIN_MAX_CHARACTERS)}`;

/** The content of a file that lies in a sealed container. */
export type FetchFile = (external: NonNullable<ParsedAttachment['external']>) => Promise<Uint8Array>;

/** What fetches files, and what opens those that are messages, within a bounded time. */
export type FileReaders = { readonly fetchFile: FetchFile; readonly openContainer: OpenContainer };

type Found = FileReaders & {
  readonly body: string[];
  readonly files: string[];
  messagesLeft: number;
  bytesLeft: number;
};

/** Reads a file as a message. Null when the file cannot be fetched or read: search then finds it by its name. */
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

/** Texts and file names of a message and of the messages in it. */
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

/** A mail as it is indexed, from what parsing it gave. */
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
    // No more than is indexed: the texts of many mails are kept, each of which may be of megabytes.
    texts: {
      from: peopleText([parsed.from, ...parsed.replyTo]).slice(0, FIELD_MAX_CHARACTERS),
      to: peopleText([...parsed.to, ...parsed.cc, ...parsed.bcc]).slice(0, FIELD_MAX_CHARACTERS),
      subject: (parsed.subject ?? '').slice(0, FIELD_MAX_CHARACTERS),
      body: found.body.join('\n').slice(0, FIELD_MAX_CHARACTERS),
      filename: found.files.join('\n').slice(0, FIELD_MAX_CHARACTERS),
    },
  };
}
