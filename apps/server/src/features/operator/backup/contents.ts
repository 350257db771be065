/**
 * The files of a backup and their list, contents.txt: a line per file with its SHA-256, its size in
 * bytes and its path within the folder. All files are on disk before the list ends. Knows nothing
 * about the meaning of a file.
 *
 * [Note: Checked as used] A restore reads a backup twice: once to check all of it before anything
 * is written, and once to use it, possibly an hour later. The list is therefore copied to a place
 * where no other process writes, and each file is compared with it again as it is used.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { NotRegular, openRegular } from '../../../base/regular-file.ts';
import { BackupError } from './failure.ts';
import { forEach } from './for-each.ts';

export const CONTENTS_FILE = 'contents.txt';
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export type Entry = { readonly path: string; readonly sizeBytes: number; readonly sha256: string };

/** A byte stream, and its size and hash once it has ended. */
export type Measured = {
  readonly pieces: AsyncGenerator<Uint8Array>;
  readonly total: () => Omit<Entry, 'path'>;
};

/** Passes bytes through and computes their size and SHA-256. */
export function measure(source: AsyncIterable<Uint8Array>): Measured {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  return {
    pieces: (async function* () {
      for await (const piece of source) {
        hash.update(piece);
        sizeBytes += piece.length;
        yield piece;
      }
    })(),
    total: () => ({ sizeBytes, sha256: hash.digest('hex') }),
  };
}

export type Contents = {
  /** Writes a file of the backup and lists it. */
  readonly write: (name: string, content: AsyncIterable<Uint8Array>) => Promise<Entry>;
  /** Adds an existing file to the list. */
  readonly list: (entry: Entry) => Promise<void>;
  /** Ends the list, once everything it names is safe on disk. Returns its SHA-256. */
  readonly end: () => Promise<string>;
  /** Closes the list, whether or not it was completed. */
  readonly close: () => Promise<void>;
};

/** Starts the list of a backup in a folder. Rejects when there already is one. */
export async function createContents(dir: string): Promise<Contents> {
  const handle: FileHandle = await open(path.join(dir, CONTENTS_FILE), 'wx', FILE_MODE);
  const hash = createHash('sha256');
  let last: Promise<void> = Promise.resolve();
  // One after the other: the list's own hash covers its lines in order.
  const list = (entry: Entry): Promise<void> => {
    last = last.then(async () => {
      const line = `${entry.sha256} ${entry.sizeBytes} ${entry.path}\n`;
      hash.update(line);
      await handle.appendFile(line);
    });
    return last;
  };
  return {
    list,
    write: async (name, content) => {
      const file = path.join(dir, name);
      await mkdir(path.dirname(file), { recursive: true, mode: FOLDER_MODE });
      const { pieces, total } = measure(content);
      await pipeline(pieces, createWriteStream(file, { flags: 'wx', mode: FILE_MODE }));
      const entry = { path: name, ...total() };
      await list(entry);
      return entry;
    },
    end: async () => {
      await last;
      await syncFiles(dir);
      await handle.sync();
      return hash.digest('hex');
    },
    close: () => handle.close(),
  };
}

/**
 * Returns the bytes of a file in a backup. Rejects with BackupError for a pipe, which would block,
 * and for a link.
 */
export async function readBytes(file: string): Promise<ReadStream> {
  const fd = await openRegular(file).catch(error => {
    throw error instanceof NotRegular ? new BackupError(`The backup is damaged: ${error.message}`) : error;
  });
  return createReadStream(file, { fd });
}

/** Returns the SHA-256 and size of a file. Rejects when it cannot be read. */
export async function measureFile(file: string): Promise<Omit<Entry, 'path'>> {
  const { pieces, total } = measure(await readBytes(file));
  for await (const _ of pieces);
  return total();
}

const LINE = /^([0-9a-f]{64}) (\d{1,15}) (\S.*)$/;

/** Returns whether a path stays within the list's folder and is written in canonical form. */
const isInside = (name: string): boolean =>
  path.posix.normalize(name) === name &&
  !path.posix.isAbsolute(name) &&
  name !== '.' &&
  name.split('/')[0] !== '..';

/** Yields the files that a list names. Rejects with BackupError at an invalid line. */
export async function* readList(file: string): AsyncGenerator<Entry> {
  const lines = createInterface({ input: await readBytes(file) });
  for await (const line of lines) {
    const [, sha256, sizeBytes, name] = LINE.exec(line) ?? [];
    if (sha256 === undefined || name === undefined || !isInside(name))
      throw new BackupError(`The backup is damaged: ${CONTENTS_FILE} was changed`);
    yield { path: name, sizeBytes: Number(sizeBytes), sha256 };
  }
}

/**
 * Yields the files that the list of a backup names. Rejects with BackupError at an invalid line.
 */
export const readContents = (dir: string): AsyncGenerator<Entry> => readList(path.join(dir, CONTENTS_FILE));

/** A backup whose list can no longer change: see [Note: Checked as used]. */
export type Pinned = { readonly dir: string; readonly entries: () => AsyncGenerator<Entry> };

/**
 * Runs `work` with a backup whose list has this SHA-256. Rejects with BackupError when it has
 * another.
 */
export async function withPinned<T>(
  dir: string,
  listSha256: string,
  ownFolder: string,
  work: (backup: Pinned) => Promise<T>,
): Promise<T> {
  await mkdir(ownFolder, { recursive: true, mode: FOLDER_MODE });
  const file = path.join(ownFolder, `restoring-${process.pid}.txt`);
  await rm(file, { force: true });
  try {
    const { pieces, total } = measure(await readBytes(path.join(dir, CONTENTS_FILE)));
    await pipeline(pieces, createWriteStream(file, { flags: 'wx', mode: FILE_MODE }));
    if (total().sha256 !== listSha256)
      throw new BackupError(`The backup in ${dir} changed while it was read: ${CONTENTS_FILE}`);
    return await work({ dir, entries: () => readList(file) });
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Yields the content of a listed file. Throws BackupError, after the last byte, when the content
 * does not match the list.
 */
export async function* readEntry(
  dir: string,
  { path: name, sha256, sizeBytes }: Entry,
): AsyncGenerator<Uint8Array> {
  const { pieces, total } = measure(await readBytes(path.join(dir, name)));
  yield* pieces;
  const is = total();
  if (is.sha256 !== sha256 || is.sizeBytes !== sizeBytes)
    throw new BackupError(`The backup in ${dir} changed while it was read: ${name} differs from the list`);
}

/**
 * Number of files synced to disk concurrently: the disk combines the writes, whereas sequential
 * syncs would each wait for it.
 */
const SYNCED_AT_ONCE = 16;

/** Syncs all files of a list to disk. */
const syncFiles = (dir: string): Promise<void> =>
  forEach(readContents(dir), SYNCED_AT_ONCE, async entry => {
    const handle = await open(path.join(dir, entry.path), 'r');
    await handle.sync().finally(() => handle.close());
  });
