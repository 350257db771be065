/**
 * Marks of what lies in the archive of changes, by the server's key: whoever can write where the archive lies must not be able to
 * put changes of their own into a restore. A mark says of which database a file is, what it is called and what is in it. It
 * stands behind the compressed content as the comment of an empty gzip member (RFC 1952 §2.3.1.1), so that file and mark are there
 * together or not at all, and gunzip reads the file as ever.
 *
 * What marks cannot tell: that the newest files of an archive were taken away.
 */
import { timingSafeEqual } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { MasterKey } from '../base/master-key.ts';

const PURPOSE = 'archived changes';
/** A segment has 16 MiB. */
const UNPACKED_MAX_BYTES = 64 * 1024 * 1024;

/** By what key files of a database are marked; null where nothing is checked. */
export type ArchiveMarks = {
  readonly key: MasterKey | null;
  /** The number that initdb gave the database. */
  readonly database: string;
  /** Whether files without a mark are taken; those with a wrong one never are. */
  readonly mayLack: boolean;
};

/** Something of an archive that must not be restored, as a line for the operator. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}

const MARK_CHARACTERS = 64;
const HEAD = Buffer.concat([
  // Magic, deflate, with a comment, no time, no system.
  Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff]),
  Buffer.from('keyfold-mark '),
]);
/** The comment's end, an empty last block, CRC-32 and length of nothing. */
const TAIL = Buffer.from([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

const memberOf = (mark: string): Buffer => Buffer.concat([HEAD, Buffer.from(mark), TAIL]);

/** The mark of a file's content, 64 hexadecimal digits; null where there is no key. */
export const markOf = ({ key, database }: ArchiveMarks, name: string, content: Uint8Array): string | null =>
  key === null ? null : key.digest(PURPOSE, database, name, content).toString('hex');

/** Throws ArchiveRefused unless a mark is that of a file's content, or one may be lacking where there is none. */
export function requireMark(
  marks: ArchiveMarks,
  name: string,
  content: Uint8Array,
  mark: string | null,
): void {
  const expected = markOf(marks, name, content);
  if (expected === null || (mark === null && marks.mayLack)) return;
  if (mark === null)
    throw new ArchiveRefused(
      `${name} in the archive has no mark by the server's key: it may have been changed. restore-to takes it with --without-mark when its place says otherwise`,
    );
  const [given, wanted] = [Buffer.from(mark), Buffer.from(expected)];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new ArchiveRefused(
      `${name} in the archive was changed by somebody without the server's key, or it belongs to another place or database`,
    );
}

/** A file as the archive keeps it: compressed, with its mark. */
export function pack(marks: ArchiveMarks, name: string, content: Uint8Array): Buffer {
  const mark = markOf(marks, name, content);
  return Buffer.concat([gzipSync(content), ...(mark === null ? [] : [memberOf(mark)])]);
}

function findMark(packed: Buffer): string | null {
  const member = packed.subarray(-(HEAD.length + MARK_CHARACTERS + TAIL.length));
  const mark = member.subarray(HEAD.length, HEAD.length + MARK_CHARACTERS).toString('latin1');
  return /^[0-9a-f]+$/.test(mark) && memberOf(mark).equals(member) ? mark : null;
}

/** Whether a file has a mark, right or wrong. */
export const isMarked = (packed: Buffer): boolean => findMark(packed) !== null;

/** The content of a file of the archive. Throws ArchiveRefused when it is damaged, or not what this server put there. */
export function unpack(marks: ArchiveMarks, name: string, packed: Buffer): Buffer {
  let content: Buffer;
  try {
    content = gunzipSync(packed, { maxOutputLength: UNPACKED_MAX_BYTES });
  } catch {
    throw new ArchiveRefused(`${name} in the archive is damaged`);
  }
  requireMark(marks, name, content, findMark(packed));
  return content;
}
