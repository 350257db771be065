/**
 * Stores files in the WAL archive and reads them back. A file is present completely or not at all.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NotRegular, readRegular } from '../base/regular-file.ts';
import { type ArchiveMarks, ArchiveRefused, isMarked, pack, unpack } from './archive-marks.ts';

const SEGMENT = /^[0-9A-F]{24}$/;
const LINE_CHARACTERS = 8;

const fileOf = (folder: string, name: string): string => path.join(folder, `${name}.gz`);

/**
 * Writes a file of the archive atomically. A link at the temporary path is removed, never followed,
 * because other accounts may be able to write there.
 */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const draft = `${file}.part`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(draft, file);
}

/**
 * Returns the content of an archived file, or null if it does not exist. Throws ArchiveRefused if
 * the path is not a regular file.
 */
export function findArchived(file: string): Buffer | null {
  try {
    return readRegular(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (!(error instanceof NotRegular)) throw error;
    throw new ArchiveRefused(`${path.basename(file)} in the archive is not a regular file`);
  }
}

/**
 * Archives a file. If a crash interrupted an earlier attempt, compares the archived copy. Throws if
 * a different file has the name.
 */
export function keepInArchive(marks: ArchiveMarks, folder: string, name: string, source: string): void {
  const file = fileOf(folder, name);
  const content = readFileSync(source);
  const packed = findArchived(file);
  if (packed !== null) {
    if (!unpack({ ...marks, mayLack: true }, name, packed).equals(content))
      throw new Error(`The archive already has a different ${name}`);
    if (isMarked(packed)) return;
  }
  writeWhole(file, pack(marks, name, content));
}

/**
 * Throws ArchiveRefused if a segment is missing but the archive has later segments of the same
 * timeline.
 */
function requireNoGap(folder: string, name: string): void {
  if (!SEGMENT.test(name)) return;
  const line = name.slice(0, LINE_CHARACTERS);
  const isLater = (file: string): boolean => {
    const other = path.basename(file, '.gz');
    return file.endsWith('.gz') && SEGMENT.test(other) && other.startsWith(line) && other > name;
  };
  if (readdirSync(folder).some(isLater))
    throw new ArchiveRefused(`The archive lacks ${name}, but has later changes`);
}

/**
 * Returns whether the file exists in the archive; if so, its content is now at `target`. Throws
 * ArchiveRefused.
 */
export function giveFromArchive(marks: ArchiveMarks, folder: string, name: string, target: string): boolean {
  const packed = findArchived(fileOf(folder, name));
  if (packed !== null) {
    writeFileSync(target, unpack(marks, name, packed), { mode: 0o600 });
    return true;
  }
  requireNoGap(folder, name);
  return false;
}
