// Detects the format of a file from its first bytes, regardless of its name.

import { readHeaderBlock } from '@keyfold/mail/mime/headers';
import { findAppleStart } from './apple-mail.ts';
import type { ByteSource } from './byte-source.ts';
import { withLineEnds } from './line-ends.ts';
import { isMailHeader } from './mail-state.ts';
import { beginsWithFrom } from './mbox/separator.ts';
import { isCompoundFile } from './msg/compound-check.ts';

export type MailFileFormat = 'pst' | 'zip' | 'mbox' | 'eml' | 'msg';

const HEAD_BYTES = 64 * 1024;
/** [MS-PST] 2.2.2.6, dwMagic. */
const PST_MAGIC = [0x21, 0x42, 0x44, 0x4e];
/** A local file header, or the end record of an empty archive (APPNOTE 4.3.7, 4.3.16). */
const ZIP_MAGICS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
];

const begins = (head: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((code, index) => head[index] === code);

/** Returns the offset of the first non-empty line. */
function textStart(head: Uint8Array): number {
  let at = begins(head, [0xef, 0xbb, 0xbf]) ? 3 : 0;
  while (head[at] === 0x0a || head[at] === 0x0d) at++;
  return at;
}

/** Returns the format of a file with these first bytes, or null for an unsupported one. */
export function formatOfHead(head: Uint8Array<ArrayBuffer>): MailFileFormat | null {
  if (begins(head, PST_MAGIC)) return 'pst';
  if (ZIP_MAGICS.some(magic => begins(head, magic))) return 'zip';
  // Other Microsoft programs use this container format too.
  if (isCompoundFile(head)) return 'msg';
  const text = withLineEnds(head);
  const at = textStart(text);
  if (beginsWithFrom(text, at)) return 'mbox';
  const start = at + findAppleStart(text.subarray(at));
  return isMailHeader(readHeaderBlock(text, start).fields) ? 'eml' : null;
}

/** Returns the format of a file, or null for an unsupported one. */
export const findFormat = async (source: ByteSource): Promise<MailFileFormat | null> =>
  formatOfHead(await source.read(0, Math.min(HEAD_BYTES, source.size)));
