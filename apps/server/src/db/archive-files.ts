/**
 * Files of the archive of changes: put there, and had back. A file is there whole or not at all.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NotRegular, readRegular } from '../base/regular-file.ts';
import { type ArchiveMarks, ArchiveRefused, isMarked, pack, unpack } from './archive-marks.ts';

const SEGMENT = /^[0-9A-F]{24}$/;
const LINE_CHARACTERS = 8;

const fileOf = (folder: string, name: string): string => path.join(folder, `${name}.gz`);

/** Writes a file of the archive. What lies where its draft goes is no guide to anywhere else: others may write there. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const draft = `${file}.part`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(draft, file);
}

/** The content of a file of an archive; null when it is not there. Throws ArchiveRefused when what is there is no regular file. */
export function findArchived(file: string): Buffer | null {
  try {
    return readRegular(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (!(error instanceof NotRegular)) throw error;
    throw new ArchiveRefused(`${path.basename(file)} in the archive is not a regular file`);
  }
}

/** Keeps a file. What was kept before a crash is compared. Throws when something else has its name there. */
export function keepInArchive(marks: ArchiveMarks, folder: string, name: string, source: string): void {
  const file = fileOf(folder, name);
  const content = readFileSync(source);
  const packed = findArchived(file);
  if (packed !== null) {
    if (!unpack({ ...marks, mayLack: true }, name, packed).equals(content))
      throw new Error(`The archive has another ${name}`);
    if (isMarked(packed)) return;
  }
  writeWhole(file, pack(marks, name, content));
}

/** Throws ArchiveRefused when an archive has later changes of the line that a missing segment is of. */
function requireNoGap(folder: string, name: string): void {
  if (!SEGMENT.test(name)) return;
  const line = name.slice(0, LINE_CHARACTERS);
  const isLater = (file: string): boolean => {
    const other = path.basename(file, '.gz');
    return file.endsWith('.gz') && SEGMENT.test(other) && other.startsWith(line) && other > name;
  };
  if (readdirSync(folder).some(isLater))
    throw new ArchiveRefused(`The archive lacks ${name}, and has changes that came after it`);
}

/** Whether there is such a file: its content is at `target` then. Throws ArchiveRefused. */
export function giveFromArchive(marks: ArchiveMarks, folder: string, name: string, target: string): boolean {
  const packed = findArchived(fileOf(folder, name));
  if (packed !== null) {
    writeFileSync(target, unpack(marks, name, packed), { mode: 0o600 });
    return true;
  }
  requireNoGap(folder, name);
  return false;
}
