// The Message-ID of mail that was sealed by whoever wrote it. Its writer's client put one inside; the server gave it another,
// under which it was sent, is answered and is known here. Where such mail leaves the mailbox it bears the one it is known by,
// so that its answers find it in any program and an import knows it again.
import { findHeader, readHeaderBlock } from '@keyfold/mail/mime/headers';

/** As clients and server make them (createMessageId); those of other programs are left as they are. */
const ownForm = /^<[0-9a-f]{32}@[a-z0-9.-]+>$/;

/** The message under the Message-ID that its mailbox knows it by; the same array when nothing is to change. */
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
