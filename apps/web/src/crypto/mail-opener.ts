// Opens whole mails inside the key worker into what the reader shows (Spec §4 "Message treatment"). A mail that does not
// open keeps its readable headers and the reason. Rows of lists are opened by row-opener.ts.
import type { Email } from '@keyfold/contract';
import { openWholeAttachment } from '@keyfold/crypto/attachment';
import { decodeBase64 } from '@keyfold/crypto/message';
import { type ParsedMessage, parseHeadersOnly, parseMessage } from '@keyfold/mail/mime/parse';
import { type FetchFile, reattach } from '@keyfold/mail/mime/reattach';
import { assembleRaw } from '@keyfold/mail/mime/stored-headers';
import { failureText, isPlaceholder, type MailKind } from './row-opener.ts';
import { getVault } from './vault-keeper.ts';

/** A mail as presented. `failed` is the error text when only the headers could be read. */
export type OpenedMail = {
  readonly kind: MailKind;
  readonly parsed: ParsedMessage;
  readonly failed: string | null;
};

const encoder = new TextEncoder();
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
    return {
      kind: 'mail',
      parsed: parseHeadersOnly(encoder.encode(mail.headers)),
      failed: failureText(error),
    };
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
