// Opens whole messages inside the key worker for the reader (docs/spec-map.md 4.09, 4.10). A
// message that does not open keeps its readable headers and the reason. row-opener.ts opens the
// rows of lists.
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

/**
 * Reason why a message did not open: its key is present but does not fit the stored data, its key
 * is missing, or no body was sent.
 */
export type FailureCause = 'damaged' | 'no_key' | 'unreadable';

/**
 * A message as the reader shows it. `failed` is the error text when only the headers could be read.
 */
export type OpenedMail = {
  readonly kind: MailKind;
  readonly parsed: ParsedMessage;
  readonly failed: string | null;
  readonly cause?: FailureCause;
  /**
   * Whether another received message has exactly the same encrypted body, written and encrypted
   * once.
   */
  readonly isCopy?: boolean;
  /**
   * How the message was opened; null for alerts, placeholders, messages that did not open, and
   * payloads that name no sender, whose From comes from the server. Only `hybrid` binds the
   * message's `dh_public`.
   */
  readonly path: OpenPath | null;
  /** Log state that the sender saw, if the message contains it. */
  readonly keyLog?: SignedState;
  /** The summary that lists should show, when the stored one differs. */
  readonly mended?: MendedSummary;
};

const encoder = new TextEncoder();
/**
 * Returns the message as RFC 5322 bytes: headers and content, with references to encrypted files
 * still in place.
 */
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
    // Text that the server wrote beside a message must not get into a summary.
    ...(isComplete ? { opened } : {}),
  };
}

/** Opens one message, including its body. Never rejects: see OpenedMail.failed. */
export async function openMail(mail: Email): Promise<OpenedMail> {
  if (isPlaceholder(mail))
    return { kind: 'placeholder', parsed: parseHeadersOnly(new Uint8Array(0)), failed: null, path: null };
  if (isUnreadableMail(mail) && !mail.body) return failedMail(mail, UNREADABLE_MAIL, 'unreadable');
  try {
    const { raw, path, isCopy = false, opened } = await openRaw(mail);
    const parsed = await parseMessage(raw);
    const keyLog = mail.alert ? null : readStateField(parsed.headers);
    // Failing to correct a list row must not prevent showing the message.
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

/**
 * Returns whether the key that the message names is held. A message that names no key may be sealed
 * for any held key.
 */
function isKeyHeld({ key_used }: Email): boolean {
  try {
    const { identity, retired } = getVault();
    return !key_used || [identity, ...retired.map(one => one.identity)].some(one => one.key_id === key_used);
  } catch {
    // The user signed out in the meantime.
    return false;
  }
}

/**
 * Returns a message that does not open as it is stored: its headers, and the encrypted body in
 * base64.
 */
const sealedSource = ({ headers, body }: Email): Uint8Array =>
  encoder.encode(`${headers.trimEnd()}\r\n\r\n${(body ?? '').replace(/.{76}/g, '$&\r\n')}\r\n`);

/**
 * Returns the message byte for byte as it arrived or was written, with its files reinserted, for
 * "Download source" and "View source". For a message that does not open, returns the
 * stored form.
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

/**
 * Returns an encrypted file as a Blob of its own type; only this worker reads its bytes. Rejects
 * with 'Failed to decrypt message'.
 */
export async function openFile(container: Blob, fileKeyB64: string, type: string): Promise<Blob> {
  const sealed = new Uint8Array(await container.arrayBuffer());
  const plain = await openWholeAttachment(decodeBase64(fileKeyB64), sealed);
  return new Blob([plain], { type });
}
