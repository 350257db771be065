// One mail byte for byte out of its sealed parts, its files put back in: what the export packs. Fetching mails and the keys of
// single messages is the reading worker's.
import type { Email } from '@keyfold/contract';
import { openWholeAttachment } from '@keyfold/crypto/attachment';
import { decodeBase64, openWithMessageKey } from '@keyfold/crypto/message';
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
