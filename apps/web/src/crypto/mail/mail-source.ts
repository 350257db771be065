// One mail byte for byte out of its sealed parts, its files put back in: what the export packs. Fetching mails and the keys of
// single messages is the reading worker's.
import type { Email } from '@keyfold/contract';
import { openWholeAttachment } from '@keyfold/crypto/attachment';
import { decodeBase64, openWithMessageKey } from '@keyfold/crypto/message';
import { findHeader, readHeaderBlock } from '@keyfold/mail/mime/headers';
import { reattach } from '@keyfold/mail/mime/reattach';
import { assembleRaw } from '@keyfold/mail/mime/stored-headers';

export type SealedMail = {
  readonly mail: Pick<Email, 'alert' | 'headers'>;
  readonly body: Uint8Array;
  /** Of the message; null when none opened it. */
  readonly key: Uint8Array | null;
};

/** Rejects when the mail, or one of its files, does not open, and as `fetchContainer` does. */
export async function openMailSource(
  { mail, body, key }: SealedMail,
  fetchContainer: (id: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  if (mail.alert) return assembleRaw(mail.headers, body);
  if (key === null) throw new Error('Failed to decrypt message');
  const payload = await openWithMessageKey(body, key);
  return reattach(assembleRaw(mail.headers, payload), async file =>
    openWholeAttachment(decodeBase64(file.key), await fetchContainer(file.id)),
  );
}

/** As clients and server make them (createMessageId); those of other programs are left as they are. */
const ownForm = /^<[0-9a-f]{32}@[a-z0-9.-]+>$/;

/**
 * The message under the Message-ID that its mailbox knows it by; the same array when nothing is to change. The client that wrote
 * it put one inside; the server gave it another, under which it was sent, is answered and is known here.
 */
export function underSentId(raw: Uint8Array, sentId: string): Uint8Array {
  const field = findHeader(readHeaderBlock(raw).fields, 'message-id');
  const inside = field?.value.trim();
  if (field === undefined || field === null || inside === undefined || inside === sentId) return raw;
  if (!ownForm.test(inside) || !ownForm.test(sentId)) return raw;
  const line = new TextDecoder('latin1').decode(raw.subarray(field.start, field.end)).replace(inside, sentId);
  const bytes = Uint8Array.from(line, sign => sign.charCodeAt(0));
  const changed = new Uint8Array(raw.length - (field.end - field.start) + bytes.length);
  changed.set(raw.subarray(0, field.start));
  changed.set(bytes, field.start);
  changed.set(raw.subarray(field.end), field.start + bytes.length);
  return changed;
}
