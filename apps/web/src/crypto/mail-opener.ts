// Opens whole mails inside the key worker into what the reader shows (Spec §4 "Message treatment"). A mail that does not
// open keeps its readable headers and the reason. Rows of lists are opened by row-opener.ts.
import type { Email } from '@keyfold/contract';
import { openWholeAttachment } from '@keyfold/crypto/attachment';
import { decodeBase64, encodeBase64 } from '@keyfold/crypto/message';
import type { OpenPath } from '@keyfold/crypto/opener';
import { type ParsedMessage, parseHeadersOnly, parseMessage } from '@keyfold/mail/mime/parse';
import { type FetchFile, reattach } from '@keyfold/mail/mime/reattach';
import { assembleRaw, namesSender } from '@keyfold/mail/mime/stored-headers';
import { readStateField, type SignedState } from './key-log-check.ts';
import { failureText, isPlaceholder, type MailKind } from './row-opener.ts';
import { getVault } from './vault-keeper.ts';

/** A mail as presented. `failed` is the error text when only the headers could be read. */
export type OpenedMail = {
  readonly kind: MailKind;
  readonly parsed: ParsedMessage;
  readonly failed: string | null;
  /**
   * What opened it; null of alerts, placeholders, what did not open, and what names no sender itself: its From is the server's.
   * Only `hybrid` binds the mail's `dh_public`.
   */
  readonly path: OpenPath | null;
  /** What its sender saw of the key log, if the mail says so. */
  readonly keyLog?: SignedState;
};

const encoder = new TextEncoder();
/** The mail as RFC 5322 bytes: headers and content, references to sealed files still in place. */
async function openRaw(mail: Email): Promise<{ readonly raw: Uint8Array; readonly path: OpenPath | null }> {
  const { opener, messageKeys } = getVault();
  const body = mail.body ?? '';
  if (mail.alert) return { raw: assembleRaw(mail.headers, decodeBase64(body)), path: null };
  const opened = await opener.open({ ...mail, body });
  messageKeys.keep(mail.id, opened.messageKey, encodeBase64(opened.binding));
  const { payload } = opened;
  return { raw: assembleRaw(mail.headers, payload), path: namesSender(payload) ? opened.path : null };
}

/** Opens one mail, its body included. Never rejects: see OpenedMail.failed. */
export async function openMail(mail: Email): Promise<OpenedMail> {
  if (isPlaceholder(mail))
    return { kind: 'placeholder', parsed: parseHeadersOnly(new Uint8Array(0)), failed: null, path: null };
  try {
    const { raw, path } = await openRaw(mail);
    const parsed = await parseMessage(raw);
    const keyLog = mail.alert ? null : readStateField(parsed.headers);
    const found = { kind: mail.alert ? ('alert' as const) : ('mail' as const), parsed, failed: null, path };
    return keyLog === null ? found : { ...found, keyLog };
  } catch (error) {
    return {
      kind: 'mail',
      parsed: parseHeadersOnly(encoder.encode(mail.headers)),
      failed: failureText(error),
      path: null,
    };
  }
}

/** A mail that does not open, as it is stored: its headers, and the sealed body in base64. */
const sealedSource = ({ headers, body }: Email): Uint8Array =>
  encoder.encode(`${headers.trimEnd()}\r\n\r\n${(body ?? '').replace(/.{76}/g, '$&\r\n')}\r\n`);

/**
 * The mail byte for byte as it arrived or was written, files put back in; what "Download raw" and "View source" show. Of a
 * mail that does not open it is what is stored.
 */
export async function openSource(
  mail: Email,
  fetchContainer: (id: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const fetchFile: FetchFile = async file =>
    openWholeAttachment(decodeBase64(file.key), await fetchContainer(file.id));
  const opened = await openRaw(mail).catch(() => null);
  return opened === null ? sealedSource(mail) : reattach(opened.raw, fetchFile);
}

/** A sealed file as a Blob of its own type. Rejects with 'Failed to decrypt message'. */
export async function openFile(container: ArrayBuffer, fileKeyB64: string, type: string): Promise<Blob> {
  const plain = await openWholeAttachment(decodeBase64(fileKeyB64), new Uint8Array(container));
  return new Blob([plain], { type });
}
