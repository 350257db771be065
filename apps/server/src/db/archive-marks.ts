/**
 * Authenticates files in the WAL archive with a MAC by the server's key ("mark" in the code), so
 * that an attacker who can write to the archive cannot insert changes into a restore. A MAC covers
 * the database, the file's name and its content. It follows the compressed content as the comment
 * of an empty gzip member (RFC 1952 §2.3.1.1), so that file and MAC are stored atomically and
 * gunzip still reads the file.
 *
 * MACs cannot detect that the newest files of an archive were removed.
 */
import { timingSafeEqual } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { MasterKey } from '../base/master-key.ts';

const PURPOSE = 'archived changes';
/** A segment is 16 MiB. */
const UNPACKED_MAX_BYTES = 64 * 1024 * 1024;

/** The key that authenticates a database's files; a null key disables the check. */
export type ArchiveMarks = {
  readonly key: MasterKey | null;
  /** The system identifier that initdb gave the database. */
  readonly database: string;
  /** Whether files without a MAC are accepted; files with a wrong MAC never are. */
  readonly mayLack: boolean;
};

/** An archived file that must not be restored; the message is one line for the operator. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}

const MARK_CHARACTERS = 64;
const HEAD = Buffer.concat([
  // Magic number, deflate, comment flag, no time, no system.
  Buffer.from([0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff]),
  Buffer.from('keyfold-mark '),
]);
/** Terminator of the comment, empty last block, CRC-32 and length of empty content. */
const TAIL = Buffer.from([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

const memberOf = (mark: string): Buffer => Buffer.concat([HEAD, Buffer.from(mark), TAIL]);

/** Returns the MAC of a file's content as 64 hexadecimal digits, or null if there is no key. */
export const markOf = ({ key, database }: ArchiveMarks, name: string, content: Uint8Array): string | null =>
  key === null ? null : key.digest(PURPOSE, database, name, content).toString('hex');

/** Throws ArchiveRefused unless the MAC matches the content, or is absent where that is allowed. */
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
      `${name} in the archive has no MAC and may have been changed. If you trust the archive, run restore-to with --without-mark`,
    );
  const [given, wanted] = [Buffer.from(mark), Buffer.from(expected)];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new ArchiveRefused(
      `${name} in the archive has a wrong MAC: it was changed without the server's key, or it belongs to another file or database`,
    );
}

/** Returns a file in archive form: compressed, followed by its MAC. */
export function pack(marks: ArchiveMarks, name: string, content: Uint8Array): Buffer {
  const mark = markOf(marks, name, content);
  return Buffer.concat([gzipSync(content), ...(mark === null ? [] : [memberOf(mark)])]);
}

function findMark(packed: Buffer): string | null {
  const member = packed.subarray(-(HEAD.length + MARK_CHARACTERS + TAIL.length));
  const mark = member.subarray(HEAD.length, HEAD.length + MARK_CHARACTERS).toString('latin1');
  return /^[0-9a-f]+$/.test(mark) && memberOf(mark).equals(member) ? mark : null;
}

/** Returns whether a file has a MAC, valid or not. */
export const isMarked = (packed: Buffer): boolean => findMark(packed) !== null;

/**
 * Returns the content of an archived file. Throws ArchiveRefused if the file is damaged or was not
 * archived by this server.
 */
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
