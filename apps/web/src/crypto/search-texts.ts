// What of a mail is indexed: people, subject, texts, file names, also of the messages in it. Runs in the reading worker.
import type { Email } from '@keyfold/contract';
import type { Mailbox } from '@keyfold/mail/addresses';
import { htmlToText } from '@keyfold/mail/mime/html-text';
import { type ParsedMessage, parseMessage } from '@keyfold/mail/mime/parse';
import { DOC_FLAGS, type IndexedMail } from '@keyfold/search/index';

/** Messages inside messages that are read. */
const nestedMax = 3;
/** Characters of the text form beside an HTML form that are read too: it seldom says more. */
const twinMaxCharacters = 4_000;

const peopleText = (people: readonly (Mailbox | null)[]): string =>
  people.flatMap(person => (person === null ? [] : [`${person.name} ${person.address}`])).join('\n');

const bodyText = ({ html, text }: ParsedMessage): string =>
  html === null ? (text ?? '') : `${htmlToText(html)}\n${(text ?? '').slice(0, twinMaxCharacters)}`;

type Found = { body: string[]; files: string[] };

/** Texts and file names of a message and of the messages in it. */
async function collect(parsed: ParsedMessage, found: Found, depth: number): Promise<void> {
  found.body.push(bodyText(parsed));
  for (const { filename, description, mimeType, content } of parsed.attachments) {
    if (filename !== null) found.files.push(filename);
    if (description !== null) found.files.push(description);
    if (mimeType !== 'message/rfc822' || depth >= nestedMax || content.length === 0) continue;
    const inner = await parseMessage(content, { isPayload: false });
    found.body.push(inner.subject ?? '', peopleText([inner.from, ...inner.to]));
    await collect(inner, found, depth + 1);
  }
}

/** A mail as it is indexed, from what parsing it gave. */
export async function indexedMail(mail: Email, parsed: ParsedMessage): Promise<IndexedMail> {
  const found: Found = { body: [], files: [] };
  await collect(parsed, found, 0);
  const hasFiles = mail.attachments.length > 0 || parsed.attachments.some(({ related }) => !related);
  return {
    id: mail.id,
    at: Date.parse(mail.received_at) / 1000,
    flags:
      (hasFiles ? DOC_FLAGS.attachment : 0) |
      (mail.sent ? DOC_FLAGS.sent : 0) |
      (mail.draft ? DOC_FLAGS.draft : 0),
    texts: {
      from: peopleText([parsed.from, ...parsed.replyTo]),
      to: peopleText([...parsed.to, ...parsed.cc, ...parsed.bcc]),
      subject: parsed.subject ?? '',
      body: found.body.join('\n'),
      filename: found.files.join('\n'),
    },
  };
}
