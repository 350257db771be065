// Rebuilds one message byte for byte from its encrypted parts, with its files reinserted, for the
// export. The reading worker fetches messages and their keys.
import type { Email } from '@keyfold/contract';
import { openWholeAttachment } from '@keyfold/crypto/attachment';
import { decodeBase64, openWithMessageKey } from '@keyfold/crypto/message';
import { findHeader, readHeaderBlock } from '@keyfold/mail/mime/headers';
import { reattach } from '@keyfold/mail/mime/reattach';
import { assembleRaw } from '@keyfold/mail/mime/stored-headers';

export type SealedMail = {
  readonly mail: Pick<Email, 'alert' | 'headers'>;
  readonly body: Uint8Array;
  /** Key of the message; null when no key opened it. */
  readonly key: Uint8Array | null;
};

/** Rejects when the message or one of its files does not open, or when `fetchContainer` rejects. */
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

/**
 * Form that clients and the server generate (createMessageId); Message-IDs of other programs are
 * left unchanged.
 */
const ownForm = /^<[0-9a-f]{32}@[a-z0-9.-]+>$/;

/**
 * Returns the message with the Message-ID that its mailbox knows, or the same array when nothing
 * changes. The client that wrote the message put one inside; the server assigned another one, under
 * which the message is sent, answered and known here.
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
