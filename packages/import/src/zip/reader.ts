// Reads mail archives as providers offer them: single messages, mbox files and Maildirs in a ZIP.
// Memory holds only the list of files, and one file or a slice of one at a time. Nested archives
// are not opened.

import { cardTexts } from '@keyfold/mail/card-lines';
import { decodeUnlabeled } from '@keyfold/mail/mime/charsets';
import { configure, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import type { ByteSource } from '../byte-source.ts';
import { ImportError } from '../errors.ts';
import { formatOfHead } from '../format.ts';
import type {
  BrokenReason,
  FolderOutline,
  FolderPath,
  ImportItem,
  MailFileReader,
  ReadOptions,
} from '../items.ts';
import { ARCHIVE_FILES_MAX, MESSAGE_MAX_BYTES } from '../limits.ts';
import { toMessageItem } from '../message-item.ts';
import { msgItems } from '../msg/items.ts';
import { MSG_MAX_BYTES } from '../msg/reader.ts';
import { boxedItems } from './boxed.ts';
import {
  countCommonNames,
  type EntryPlace,
  findMaildirs,
  isHalfDelivered,
  placeOfEntry,
  settledPlace,
} from './place.ts';
import { type Allowance, newAllowance, SourceReader, unpack, unpackWhole } from './unpack.ts';

/** Maximum size of one file of address cards, in bytes. */
const CARDS_MAX_BYTES = 32 * 1024 * 1024;

type ArchivedFile = {
  entry: FileEntry;
  place: EntryPlace;
  /** Path in the archive, with slashes. */
  path: string;
};

const keyOf = ({ entry }: ArchivedFile): string => String(entry.offset);

const reasonOf = (error: unknown): BrokenReason =>
  error instanceof ImportError && error.code === 'too_large' ? 'too_large' : 'damaged';

const isMail = ({ place: { kind } }: ArchivedFile): boolean => kind !== 'vcard' && kind !== 'unsupported';

/**
 * Determines the kind of a file by its content when the name does not reveal it; null when it is
 * not mail. A file that cannot be opened stays unsure and is reported when it is read.
 */
async function settle(file: ArchivedFile, allowance: Allowance): Promise<ArchivedFile | null> {
  if (file.place.kind !== 'unsure' || file.entry.encrypted) return file;
  try {
    const chunks = unpack(file.entry, allowance);
    const { value: head } = await chunks.next();
    await chunks.return(undefined);
    const format = head === undefined ? null : formatOfHead(head);
    if (format === 'pst' || format === 'zip')
      return { ...file, place: { ...file.place, kind: 'unsupported' } };
    // Without the .msg extension, a compound file usually belongs to another program.
    return format === null || format === 'msg' ? null : { ...file, place: settledPlace(file.place, format) };
  } catch (error) {
    if (error instanceof ImportError) return file;
    throw error;
  }
}

/** Returns the files worth reading, in archive order. */
async function readDirectory(source: ByteSource): Promise<ArchivedFile[]> {
  configure({ useWebWorkers: false });
  // Nothing is ever written to an entry's path, so a path that leads outside is no reason to reject
  // the other entries.
  const zip = new ZipReader(new SourceReader(source), {
    checkOverlappingEntry: true,
    filenameValidation: 'tolerant',
  });
  const found: ArchivedFile[] = [];
  const paths: string[] = [];
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      const path = entry.filename.replaceAll('\\', '/');
      if (paths.length >= ARCHIVE_FILES_MAX) throw new ImportError('too_large');
      paths.push(path);
      if (entry.directory) continue;
      const place = placeOfEntry(path);
      if (place.kind !== 'none') found.push({ entry, place, path });
    }
  } catch (error) {
    throw error instanceof ImportError ? error : new ImportError('damaged', error);
  }
  const maildirs = findMaildirs(paths);
  found.sort((a, b) => a.entry.offset - b.entry.offset);
  const files: ArchivedFile[] = [];
  const allowance = newAllowance(source.size);
  for (const file of found) {
    const settled = isHalfDelivered(file.path, maildirs) ? null : await settle(file, allowance);
    if (settled !== null) files.push(settled);
  }
  const common = countCommonNames(files.filter(isMail).map(({ place }) => place.folder));
  return files.map(({ entry, place, path }) => {
    const folder = place.folder.slice(common);
    // The outermost folder of a Maildir is the inbox.
    return {
      entry,
      path,
      place: { ...place, folder: folder.length === 0 && place.kind === 'maildir' ? ['Inbox'] : folder },
    };
  });
}

/** The archive being read, and its remaining decompression allowance. */
type Reading = {
  source: ByteSource;
  allowance: Allowance;
};

async function* cardItems(
  file: ArchivedFile,
  { allowance }: Reading,
  { isDone }: ReadOptions,
): AsyncGenerator<ImportItem> {
  const bytes = await unpackWhole(file.entry, CARDS_MAX_BYTES, allowance);
  const text = decodeUnlabeled(bytes);
  let index = 0;
  for (const vcard of cardTexts(text)) {
    const key = `${keyOf(file)}:${index}`;
    index += 1;
    if (!isDone?.(key)) yield { kind: 'contact', key, folder: file.place.folder, vcard };
  }
}

async function* messageItems(file: ArchivedFile, { allowance }: Reading): AsyncGenerator<ImportItem> {
  const { entry, place } = file;
  const { folder, name, flags, labels } = place;
  const isMsg = place.kind === 'msg';
  const bytes = await unpackWhole(entry, isMsg ? MSG_MAX_BYTES : MESSAGE_MAX_BYTES, allowance);
  const found = {
    key: keyOf(file),
    folder,
    name,
    bytes,
    storedAt: entry.lastModDate,
    ...(flags === undefined ? {} : { flags }),
    ...(labels === undefined ? {} : { labels }),
  };
  if (isMsg) yield* await msgItems(found);
  else yield toMessageItem(found);
}

async function* itemsOfFile(
  reading: Reading,
  file: ArchivedFile,
  options: ReadOptions,
): AsyncGenerator<ImportItem> {
  const { entry, place } = file;
  const { kind, folder, name } = place;
  const broken = (reason: BrokenReason): ImportItem => ({
    kind: 'broken',
    key: keyOf(file),
    folder,
    name,
    reason,
  });
  if (kind !== 'mbox' && options.isDone?.(keyOf(file))) return;
  if (entry.encrypted) {
    yield broken('encrypted');
    return;
  }
  try {
    if (kind === 'unsupported') yield broken('unsupported');
    else if (kind === 'vcard') yield* cardItems(file, reading, options);
    else if (kind === 'mbox')
      yield* boxedItems({ ...reading, entry, folder, keyStart: `${keyOf(file)}:` }, options);
    else if (kind === 'unsure') yield broken('damaged');
    else yield* messageItems(file, reading);
  } catch (error) {
    // One file that cannot be decompressed is no reason to skip the others.
    if (!(error instanceof ImportError)) throw error;
    yield broken(reasonOf(error));
  }
}

/**
 * Yields the same items and flags those at which a reading can begin: the first one, and the
 * messages of an mbox.
 */
async function* beginnableItems(
  reading: Reading,
  file: ArchivedFile,
  options: ReadOptions,
): AsyncGenerator<ImportItem> {
  let isFirst = true;
  for await (const item of itemsOfFile(reading, file, options)) {
    yield isFirst ? { ...item, canBegin: true } : item;
    isFirst = false;
  }
}

function outlineOf(files: readonly ArchivedFile[]): FolderOutline[] {
  const folders = new Map<string, { folder: FolderPath; itemCount: number | null }>();
  for (const file of files.filter(isMail)) {
    const { folder, kind } = file.place;
    const key = JSON.stringify(folder);
    const before = folders.get(key);
    const isCounted = (kind === 'eml' || kind === 'msg' || kind === 'maildir') && before?.itemCount !== null;
    folders.set(key, { folder, itemCount: isCounted ? (before?.itemCount ?? 0) + 1 : null });
  }
  return [...folders.values()];
}

/** Creates a reader of an archive. Throws `damaged` when its list of files is unreadable. */
export async function createZipReader(source: ByteSource): Promise<MailFileReader> {
  const files = await readDirectory(source);
  const outline = outlineOf(files);
  const outlined = new Set(outline.map(({ folder }) => JSON.stringify(folder)));
  return {
    outline: () => Promise.resolve(outline),
    async *items(options = {}) {
      // Files outside every selectable folder are not dropped silently either.
      const wanted = files.filter(
        ({ place }) =>
          !outlined.has(JSON.stringify(place.folder)) || options.isWanted?.(place.folder) !== false,
      );
      const reading: Reading = { source, allowance: newAllowance(source.size) };
      const first = wanted.findIndex(file => keyOf(file) === options.from?.split(':')[0]);
      for (const file of wanted.slice(Math.max(0, first))) {
        options.signal?.throwIfAborted();
        yield* beginnableItems(reading, file, options);
      }
    },
  };
}
