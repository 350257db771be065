// Opens the files of an import, each by its content regardless of its name, and presents them as
// one sequence of folders and items.
import { type ByteSource, sourceOfBlob } from '@keyfold/import/byte-source';
import { createEmlReader } from '@keyfold/import/eml';
import { ImportError } from '@keyfold/import/errors';
import { findFormat } from '@keyfold/import/format';
import type { ImportItem, MailFileReader, ReadOptions } from '@keyfold/import/items';
import { createMboxReader } from '@keyfold/import/mbox';
import { placeOfFolder } from './import-places.ts';
import { folderKey, type ImportFolder, type ImportStart, type OpenedImport } from './import-types.ts';

export type OpenedFiles = {
  readonly opened: OpenedImport;
  /**
   * Yields the items of all files from `start` on, in an order that is the same each time, with the
   * number of their file.
   */
  readonly items: (
    options: Omit<ReadOptions, 'from'>,
    start: ImportStart | null,
  ) => AsyncGenerator<{ readonly item: ImportItem; readonly file: number }>;
  /** Returns the fraction of the files that was read, 0 to 1. */
  readonly share: () => number;
};

/** Returns a source that counts the bytes requested from it. */
function counted(source: ByteSource, count: (bytes: number) => void): ByteSource {
  return {
    size: source.size,
    read: async (offset, length) => {
      const bytes = await source.read(offset, length);
      count(bytes.length);
      return bytes;
    },
  };
}

const bareName = (name: string): string => name.replace(/\.[A-Za-z0-9]{1,5}$/, '');

async function openReader(file: File, source: ByteSource): Promise<MailFileReader> {
  const { name } = file;
  const format = await findFormat(source);
  if (format === 'eml') return createEmlReader(source, name, [], new Date(file.lastModified));
  if (format === 'msg')
    return (await import('@keyfold/import/msg-file')).createMsgReader(
      source,
      name,
      new Date(file.lastModified),
    );
  if (format === 'mbox') return createMboxReader(source, [bareName(name)]);
  if (format === 'zip') return (await import('@keyfold/import/zip')).createZipReader(source);
  if (format === 'pst') return (await import('@keyfold/import/pst')).openPst(source);
  throw new ImportError('not_this_format');
}

/** Returns whether the file contains contacts, which have their own page. */
async function holdsContacts(file: File): Promise<boolean> {
  if (/\.(?:vcf|vcard|csv|tsv)$/i.test(file.name)) return true;
  return /^\ufeff?\s*BEGIN:VCARD/i.test(await file.slice(0, 256).text());
}

/** Opens files. Files that cannot be opened are listed; the others are available. */
export async function openFiles(files: readonly File[]): Promise<OpenedFiles> {
  const readers: { readonly file: number; readonly reader: MailFileReader }[] = [];
  const refused: { name: string; why: string }[] = [];
  const folders = new Map<string, ImportFolder>();
  let readBytes = 0;
  let totalBytes = 0;
  for (const [index, file] of files.entries()) {
    try {
      const source = counted(sourceOfBlob(file), bytes => {
        readBytes += bytes;
      });
      const reader = await openReader(file, source);
      for (const { folder, itemCount } of await reader.outline()) {
        const before = folders.get(folderKey(folder));
        const count = before?.count === null || itemCount === null ? null : (before?.count ?? 0) + itemCount;
        folders.set(folderKey(folder), { path: folder, count, place: placeOfFolder(folder) });
      }
      readers.push({ file: index, reader });
      totalBytes += file.size;
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      const isContacts = error.code === 'not_this_format' && (await holdsContacts(file));
      refused.push({ name: file.name, why: isContacts ? 'contacts' : error.code });
    }
  }
  const openingBytes = readBytes;
  /** Fraction already read when reading began. */
  let startShare = 0;
  /** Everything read on the way to the resume position was already counted. */
  let isOnTheWay = false;
  return {
    opened: { folders: [...folders.values()], refused },
    share: () => {
      if (totalBytes === 0) return 1;
      return Math.min(1, startShare + (isOnTheWay ? 0 : (readBytes - openingBytes) / totalBytes));
    },
    async *items(options, start) {
      readBytes = openingBytes;
      startShare = start?.share ?? 0;
      isOnTheWay = start !== null;
      for (const { file, reader } of readers) {
        if (start !== null && file < start.file) continue;
        const from = file === start?.file ? start.key : undefined;
        for await (const item of reader.items({ ...options, from })) {
          if (isOnTheWay) {
            isOnTheWay = false;
            if (item.key === start?.key) readBytes = openingBytes;
            else startShare = 0;
          }
          yield { item, file };
        }
      }
    },
  };
}
