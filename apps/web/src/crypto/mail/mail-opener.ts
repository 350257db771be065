// Opens whole mails inside the key worker into what the reader shows (docs/spec-map.md 4.09, 4.10). A mail that does not
// open keeps its readable headers and the reason. Rows of lists are opened by row-opener.ts.
import type { Email } from '@keyfold/contract';
import { isUnreadableMail, UNREADABLE_MAIL } from '@keyfold/contract/unreadable';
import { openWholeAttachment } from '@keyfold/crypto/attachment';
import { decodeBase64, encodeBase64 } from '@keyfold/crypto/message';
import type { OpenPath } from '@keyfold/crypto/opener';
import { type ParsedMessage, parseHeadersOnly, parseMessage } from '@keyfold/mail/mime/parse';
import { type FetchFile, reattach } from '@keyfold/mail/mime/reattach';
import { assembleRaw, namesSender } from '@keyfold/mail/mime/stored-headers';
import { readStateField, type SignedState } from '../keys/key-log-check.ts';
import { getVault } from '../keys/vault-keeper.ts';
import { findMended, type MendedSummary } from './mended-summary.ts';
import { failureText, isPlaceholder, isReceivedMail, type MailKind } from './row-opener.ts';

/** Why a mail did not open: its key is here and does not fit what is stored, its key is not here, or nothing was sent. */
export type FailureCause = 'damaged' | 'no_key' | 'unreadable';

/** A mail as presented. `failed` is the error text when only the headers could be read. */
export type OpenedMail = {
  readonly kind: MailKind;
  readonly parsed: ParsedMessage;
  readonly failed: string | null;
  readonly cause?: FailureCause;
  /** Another received mail has the very same sealed body: it was written and sealed once. */
  readonly isCopy?: boolean;
  /**
   * What opened it; null of alerts, placeholders, what did not open, and what names no sender itself: its From is the server's.
   * Only `hybrid` binds the mail's `dh_public`.
   */
  readonly path: OpenPath | null;
  /** What its sender saw of the key log, if the mail says so. */
  readonly keyLog?: SignedState;
  /** The summary that its rows should have, when the stored one says something else. */
  readonly mended?: MendedSummary;
};

const encoder = new TextEncoder();
/** The mail as RFC 5322 bytes: headers and content, references to sealed files still in place. */
async function openRaw(mail: Email): Promise<{
  readonly raw: Uint8Array;
  readonly path: OpenPath | null;
  readonly isCopy?: boolean;
  readonly opened?: { readonly messageKey: Uint8Array; readonly binding: Uint8Array };
}> {
  const { opener, messageKeys } = getVault();
  const body = mail.body ?? '';
  if (mail.alert) return { raw: assembleRaw(mail.headers, decodeBase64(body)), path: null };
  const opened = await opener.open({ ...mail, body });
  const binding = encodeBase64(opened.binding);
  const isReceived = isReceivedMail(mail);
  messageKeys.keep(mail.id, opened.messageKey, binding, isReceived);
  const { payload } = opened;
  const isComplete = namesSender(payload);
  return {
    raw: assembleRaw(mail.headers, payload),
    path: isComplete ? opened.path : null,
    isCopy: isReceived && messageKeys.hasOther(mail.id, binding),
    // What the server wrote beside a mail gets into no summary.
    ...(isComplete ? { opened } : {}),
  };
}

/** Opens one mail, its body included. Never rejects: see OpenedMail.failed. */
export async function openMail(mail: Email): Promise<OpenedMail> {
  if (isPlaceholder(mail))
    return { kind: 'placeholder', parsed: parseHeadersOnly(new Uint8Array(0)), failed: null, path: null };
  if (isUnreadableMail(mail) && !mail.body) return failedMail(mail, UNREADABLE_MAIL, 'unreadable');
  try {
    const { raw, path, isCopy = false, opened } = await openRaw(mail);
    const parsed = await parseMessage(raw);
    const keyLog = mail.alert ? null : readStateField(parsed.headers);
    // A list that cannot be mended is no reason not to show the mail.
    const mended = opened ? await findMended(mail, parsed, opened).catch(() => null) : null;
    const found = {
      kind: mail.alert ? ('alert' as const) : ('mail' as const),
      parsed,
      failed: null,
      path,
      isCopy,
      ...(mended === null ? {} : { mended }),
    };
    return keyLog === null ? found : { ...found, keyLog };
  } catch (error) {
    return failedMail(mail, failureText(error), isKeyHeld(mail) ? 'damaged' : 'no_key');
  }
}

const failedMail = (mail: Email, failed: string, cause: FailureCause): OpenedMail => ({
  kind: 'mail',
  parsed: parseHeadersOnly(encoder.encode(mail.headers)),
  failed,
  cause,
  path: null,
});

/** Whether the key that the mail says it is sealed for is here. One that names none is for whoever has it. */
function isKeyHeld({ key_used }: Email): boolean {
  try {
    const { identity, retired } = getVault();
    return !key_used || [identity, ...retired.map(one => one.identity)].some(one => one.key_id === key_used);
  } catch {
    // Signed out meanwhile.
    return false;
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

/** A sealed file as a Blob of its own type, its bytes read here alone. Rejects with 'Failed to decrypt message'. */
export async function openFile(container: Blob, fileKeyB64: string, type: string): Promise<Blob> {
  const sealed = new Uint8Array(await container.arrayBuffer());
  const plain = await openWholeAttachment(decodeBase64(fileKeyB64), sealed);
  return new Blob([plain], { type });
}
