// Opens mail inside the key worker: rows of a list from their sealed summaries, and whole mails into what the reader
// shows (Spec §4 "Message treatment"). A mail that does not open keeps its readable headers and the reason.
import type { Email } from '@keyfold/contract';
import { openWholeAttachment } from '@keyfold/crypto/attachment';
import { decodeBase64, type MessageSummary, openSummary } from '@keyfold/crypto/message';
import { type ParsedMessage, parseHeadersOnly, parseMessage } from '@keyfold/mail/mime/parse';
import { type FetchFile, reattach } from '@keyfold/mail/mime/reattach';
import { assembleRaw } from '@keyfold/mail/mime/stored-headers';
import { makeSummary } from '@keyfold/mail/mime/summary';
import { withStoredSender } from './row-sender.ts';
import { getVault } from './vault-keeper.ts';

/** One row. When `failed` says why the sealed summary did not open, `summary` holds what the readable headers tell. */
export type OpenedRow = {
  readonly id: string;
  readonly kind: MailKind;
  readonly summary: MessageSummary;
  readonly failed: string | null;
};

export type MailKind = 'mail' | 'alert' | 'placeholder';

/** A mail as presented. `failed` is the error text when only the headers could be read. */
export type OpenedMail = {
  readonly kind: MailKind;
  readonly parsed: ParsedMessage;
  readonly failed: string | null;
};

const encoder = new TextEncoder();
const cannotOpen = 'Failed to decrypt message';

const textOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : cannotOpen;

/** A draft that only holds a file yet: it has neither text nor headers (Spec §4). */
const isPlaceholder = (mail: Email): boolean => mail.draft && mail.summary === null && mail.headers === '';

/** What the readable headers tell, in the shape of a summary. */
const headersSummary = (mail: Email): MessageSummary =>
  makeSummary(parseHeadersOnly(encoder.encode(mail.headers)), mail.received_at);

async function openRow(mail: Email): Promise<OpenedRow> {
  const { id } = mail;
  if (mail.alert) return { id, kind: 'alert', summary: headersSummary(mail), failed: null };
  if (isPlaceholder(mail)) return { id, kind: 'placeholder', summary: headersSummary(mail), failed: null };
  try {
    const summary = withStoredSender(mail, await openSummaryOf(mail), () => headersSummary(mail).from);
    return { id, kind: 'mail', summary, failed: null };
  } catch (error) {
    return { id, kind: 'mail', summary: headersSummary(mail), failed: textOf(error) };
  }
}

async function openSummaryOf(mail: Email): Promise<MessageSummary> {
  const { opener, messageKeys } = getVault();
  const { id, summary, binding } = mail;
  if (summary === null || binding === null) throw new Error(cannotOpen);
  const known = messageKeys.find(id);
  if (known !== null) {
    const again = await openKnownSummary(known, binding, summary);
    if (again !== null) return again;
    messageKeys.forget(id);
  }
  const opened = await opener.openSummary({ ...mail, summary, binding });
  messageKeys.keep(id, opened.messageKey);
  return opened.summary;
}

/** A draft gets a new wrap with each save, but keeps its key; when the key does not fit, the wrap is opened. */
async function openKnownSummary(
  key: Uint8Array,
  binding: string,
  sealed: string,
): Promise<MessageSummary | null> {
  return openSummary(key, decodeBase64(binding), sealed).catch(() => null);
}

/** Rows opened at once: Chromium's key operations run slower when a whole page of them is thrown at it. */
const rowsAtOnce = 8;

/** Opens the rows of a list, each by itself. */
export async function openRows(mails: readonly Email[]): Promise<OpenedRow[]> {
  const opened: OpenedRow[] = [];
  for (let start = 0; start < mails.length; start += rowsAtOnce) {
    opened.push(...(await Promise.all(mails.slice(start, start + rowsAtOnce).map(openRow))));
  }
  return opened;
}

/** A message key wrapped for oneself, as `/user/rewrap` takes it. */
export type OwnWrapOf = { readonly email_id: string; readonly encrypted_key: string; readonly salt: string };

/**
 * Wraps the keys of rows that came with their sender's wrap under one's own sent_key, so that later lists carry 60 bytes
 * a row in place of 1,600 and need no key exchange. Rows that were not opened are left out.
 */
export async function wrapOpened(mails: readonly Email[]): Promise<OwnWrapOf[]> {
  const { opener, messageKeys } = getVault();
  const wraps = mails.map(async ({ id, ciphertext, binding }): Promise<OwnWrapOf[]> => {
    const key = ciphertext === null || binding === null ? null : messageKeys.find(id);
    if (key === null || binding === null) return [];
    const { encrypted_key, salt } = await opener.wrapForSelf(key, binding);
    return [{ email_id: id, encrypted_key, salt }];
  });
  return (await Promise.all(wraps)).flat();
}

/** The mail as RFC 5322 bytes: headers and content, references to sealed files still in place. */
async function openRaw(mail: Email): Promise<Uint8Array> {
  const { opener, messageKeys } = getVault();
  const body = mail.body ?? '';
  if (mail.alert) return assembleRaw(mail.headers, decodeBase64(body));
  const opened = await opener.open({ ...mail, body });
  messageKeys.keep(mail.id, opened.messageKey);
  return assembleRaw(mail.headers, opened.payload);
}

/** Opens one mail, its body included. Never rejects: see OpenedMail.failed. */
export async function openMail(mail: Email): Promise<OpenedMail> {
  if (isPlaceholder(mail))
    return { kind: 'placeholder', parsed: parseHeadersOnly(new Uint8Array(0)), failed: null };
  try {
    const parsed = await parseMessage(await openRaw(mail));
    return { kind: mail.alert ? 'alert' : 'mail', parsed, failed: null };
  } catch (error) {
    return { kind: 'mail', parsed: parseHeadersOnly(encoder.encode(mail.headers)), failed: textOf(error) };
  }
}

/** The mail byte for byte as it arrived or was written, files put back in; what "Download raw" and "View source" show. */
export async function openSource(
  mail: Email,
  fetchContainer: (id: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const fetchFile: FetchFile = async file =>
    openWholeAttachment(decodeBase64(file.key), await fetchContainer(file.id));
  return reattach(await openRaw(mail), fetchFile);
}

/** A sealed file as a Blob of its own type. Rejects with 'Failed to decrypt message'. */
export async function openFile(container: ArrayBuffer, fileKeyB64: string, type: string): Promise<Blob> {
  const plain = await openWholeAttachment(decodeBase64(fileKeyB64), new Uint8Array(container));
  return new Blob([plain], { type });
}
