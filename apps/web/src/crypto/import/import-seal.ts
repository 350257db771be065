// Seals one imported message the way the server seals incoming mail (docs/wire-format.md): files
// over 32 KiB into containers, the rest as body, a summary for lists. The key worker wraps the key
// for the user.
import { ATTACHMENT_MAX_BYTES } from '@keyfold/contract/limits';
import { createFileKey, sealedAttachmentBytes, sealWholeAttachment } from '@keyfold/crypto/attachment';
import { bindingOf, createMessageKey, encodeBase64, sealPayload, sealSummary } from '@keyfold/crypto/message';
import type { MailItem } from '@keyfold/import/items';
import { findArrival } from '@keyfold/import/mail-state';
import { type Mailbox, parseAddressList } from '@keyfold/mail/addresses';
import { detachAttachments, finishDetach } from '@keyfold/mail/mime/detach';
import {
  findHeader,
  findHeaderText,
  findIsoDate,
  type HeaderField,
  parseReferences,
  readHeaders,
} from '@keyfold/mail/mime/headers';
import { parseMessage } from '@keyfold/mail/mime/parse';
import { buildStoredHeaders } from '@keyfold/mail/mime/stored-headers';
import { type MessageSummary, makeSnippet, summarize } from '@keyfold/mail/mime/summary';
import { findEnvelopes, isPackedWhole } from '../mail/envelopes.ts';
import type { OwnWrap } from '../mail/outgoing-message.ts';
import type { MailDigests } from './import-seen.ts';

/** A message with the data needed before it is sealed. */
export type ReadMail = {
  readonly item: MailItem;
  readonly fields: readonly HeaderField[];
  /** In angle brackets. */
  readonly messageId: string;
  /** ISO 8601. */
  readonly receivedAt: string;
};

export type SealDoor = {
  readonly wrapKey: (key: Uint8Array, binding: Uint8Array) => Promise<OwnWrap>;
  readonly nameMessage: (digest: Uint8Array) => Promise<string>;
  /** Stores a container and returns its id. */
  readonly upload: (container: Uint8Array<ArrayBuffer>) => Promise<string>;
};

/** Thrown for a message with a file above the maximum size. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

const ADDRESSES_MAX = 50;
const NAME_MAX = 200;
const ADDRESS_MAX = 320;
const MESSAGE_ID_MAX = 995;
const REFERENCES_MAX = 40;

const people = (fields: readonly HeaderField[], key: string): Mailbox[] =>
  fields
    .filter(field => field.key === key)
    .flatMap(field => parseAddressList(field.value).slice(0, ADDRESSES_MAX))
    .slice(0, ADDRESSES_MAX)
    .filter(({ address }) => address.length <= ADDRESS_MAX)
    .map(({ name, address }) => ({ name: name.slice(0, NAME_MAX), address }));

const idsIn = (fields: readonly HeaderField[], key: string): string[] =>
  parseReferences(findHeader(fields, key)?.value ?? '').filter(
    id => id.length > 2 && id.length <= MESSAGE_ID_MAX,
  );

/** Returns the subject, which identifies the message on the screen. */
export const subjectOf = ({ fields }: Pick<ReadMail, 'fields'>): string =>
  (findHeaderText(fields, 'subject') ?? '').slice(0, NAME_MAX);

/** Reads the parts of a message that decide whether it has to be sealed at all. */
export async function readMail(item: MailItem, door: Pick<SealDoor, 'nameMessage'>): Promise<ReadMail> {
  const fields = readHeaders(item.raw);
  const received = item.receivedAt ?? findArrival(fields);
  const isUsable = received !== null && /^\d{4}-/.test(received.toISOString());
  return {
    item,
    fields,
    messageId: idsIn(fields, 'message-id')[0] ?? (await door.nameMessage(await bindingOf(item.raw))),
    // An old message without a valid date must not appear as today's; it sorts below all others.
    receivedAt: (isUsable ? received : new Date(0)).toISOString(),
  };
}

/**
 * Returns the fields by which the server identifies a message: Message-ID, sender and date, because
 * a Message-ID alone can be copied.
 */
export const identityOf = ({ fields, messageId }: ReadMail) => ({
  message_id: messageId,
  from: people(fields, 'from').find(({ address }) => address !== '')?.address ?? '',
  date: findIsoDate(findHeader(fields, 'date')?.value ?? ''),
});

/**
 * Returns the SHA-256 of that identity, and of the content: the subject and everything below the
 * header. The header itself is excluded, because each program and each server adds its own fields.
 */
export async function digestsOf(mail: ReadMail): Promise<MailDigests> {
  const body = await bindingOf(mail.item.raw.subarray(mail.fields.at(-1)?.end ?? 0));
  const words = (facts: unknown) => bindingOf(new TextEncoder().encode(JSON.stringify(facts)));
  return { name: await words(identityOf(mail)), text: await words([subjectOf(mail), [...body]]) };
}

/** Returns the readable headers, which the server parses again and limits itself. */
function clearHeaders({ fields, messageId }: ReadMail): string {
  const references = idsIn(fields, 'references');
  const kept =
    references.length <= REFERENCES_MAX
      ? references
      : [...references.slice(0, 1), ...references.slice(1 - REFERENCES_MAX)];
  return buildStoredHeaders({
    from: people(fields, 'from'),
    to: people(fields, 'to'),
    cc: people(fields, 'cc'),
    date: findIsoDate(findHeader(fields, 'date')?.value ?? ''),
    messageId,
    inReplyTo: idsIn(fields, 'in-reply-to')[0] ?? null,
    references: kept,
  });
}

/** Sealed parts of an imported message, without flags and tags. */
export type SealedImport = OwnWrap & {
  readonly body: string;
  readonly summary: string;
  readonly headers: string;
  readonly received_at: string;
  readonly attachments: readonly string[];
  readonly hasAttachments: boolean;
};

/** Moves the large files into containers. Throws TooLarge. */
async function makePayload(raw: Uint8Array, messageKey: Uint8Array, door: SealDoor) {
  if (raw.length === 0) return { payload: new TextEncoder().encode('\r\n'), ids: [] };
  const plan = detachAttachments(raw);
  const metas = plan.detached.map(file => ({
    name: (file.name ?? '').slice(0, 1000),
    type: file.type,
    size: file.bytes.length,
  }));
  if (metas.some(meta => sealedAttachmentBytes(meta) > ATTACHMENT_MAX_BYTES)) throw new TooLarge();
  const references: { id: string; key: string }[] = [];
  for (const [index, file] of plan.detached.entries()) {
    const fileKey = createFileKey();
    const meta = metas[index];
    if (meta === undefined) throw new Error('A file was left out');
    try {
      const container = await sealWholeAttachment({ messageKey, fileKey, meta, bytes: file.bytes });
      references.push({ id: await door.upload(container), key: encodeBase64(fileKey) });
    } finally {
      fileKey.fill(0);
    }
  }
  return { payload: finishDetach(plan, references), ids: references.map(({ id }) => id) };
}

/**
 * Returns the summary of a message. If it has no text of its own, the text of an Outlook envelope
 * (TNEF) is used.
 */
async function summaryOf(mail: ReadMail, payload: Uint8Array): Promise<MessageSummary> {
  const summary = await summarize(payload, mail.receivedAt);
  if (summary.snippet !== '') return summary;
  const message = await parseMessage(mail.item.raw, { isPayload: false });
  const [index] = isPackedWhole(message) ? findEnvelopes(message) : [];
  if (index === undefined) return summary;
  try {
    const { openTnef } = await import('@keyfold/import/tnef');
    const { text, html } = await openTnef(message.attachments[index]?.content ?? new Uint8Array());
    return { ...summary, snippet: makeSnippet(text, html) };
  } catch {
    // The envelope remains an attached file.
    return summary;
  }
}

/** Seals a message. Throws TooLarge, and any error of storing a container. */
export async function sealImported(mail: ReadMail, door: SealDoor): Promise<SealedImport> {
  const messageKey = createMessageKey();
  try {
    const { payload, ids } = await makePayload(mail.item.raw, messageKey, door);
    const summary = await summaryOf(mail, payload);
    const { body, binding } = await sealPayload(payload, messageKey);
    const sealedSummary = await sealSummary(messageKey, binding, summary);
    const wrap = await door.wrapKey(messageKey, binding);
    return {
      ...wrap,
      body: encodeBase64(body),
      summary: sealedSummary,
      headers: clearHeaders(mail),
      received_at: mail.receivedAt,
      attachments: ids,
      hasAttachments: ids.length > 0 || summary.attachments > 0,
    };
  } finally {
    messageKey.fill(0);
  }
}
