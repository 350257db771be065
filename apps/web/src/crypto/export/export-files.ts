// The working copy of an export on this device: pieces of the archive in the origin private file
// system, sealed under a key used only for this export, so that an export can continue after its
// tab was closed. A piece counts once its head is written. No part of the archive is readable until
// the owner saves it.
import { createSearchBox, type SearchBox } from '@keyfold/crypto/search-index';
import { z } from 'zod';

/**
 * What is exported, in which format, and when the export began; readable once the key is available.
 */
export const exportPlan = z.object({
  format: z.enum(['mbox', 'eml']),
  /** The selection as shown to the owner; null for all mail. */
  scope: z.object({ kind: z.enum(['tag', 'search']), text: z.string() }).nullable(),
  ids: z.array(z.string()),
  beganAt: z.string(),
});
export type ExportPlan = z.infer<typeof exportPlan>;

const place = z.object({
  /** Number of processed messages of the plan. */
  done: z.number(),
  /** Number of messages in the archive. */
  mails: z.number(),
  failed: z.number(),
  /** Bytes of mail in the archive. */
  bytes: z.number(),
  /** Checksum of the messages so far, for an archive that stores them in one file. */
  crc: z.number(),
});
/** Progress after a piece. */
export type ExportPlace = z.infer<typeof place>;

const pieceHead = z.object({
  number: z.number(),
  /** Size of each of its files in order, in bytes. */
  sizes: z.array(z.number()),
  place,
  entries: z.array(z.tuple([z.string(), z.number(), z.number(), z.number()])),
  mails: z.array(z.string()),
  failed: z.array(z.string()),
});
/** Head of a piece: its files (name, checksum, bytes, offset), and lines of the manifest. */
export type PieceHead = z.infer<typeof pieceHead>;

const folderName = 'export';
const planName = 'plan';
const keyName = 'key';
const dataName = (number: number, part: number): string => `${number}.${part}.data`;
const headName = (number: number): string => `${number}.head`;

type SyncHandle = {
  readonly write: (bytes: Uint8Array, options: { at: number }) => number;
  readonly truncate: (size: number) => void;
  readonly flush: () => void;
  readonly close: () => void;
};
type WorkerFileHandle = FileSystemFileHandle & { createSyncAccessHandle: () => Promise<SyncHandle> };

export type ExportFiles = {
  readonly plan: ExportPlan;
  /** Number of complete pieces. */
  readonly count: () => number;
  /** Adds a piece from a stream of chunks. The piece counts once all its bytes are written. */
  readonly add: (
    head: Omit<PieceHead, 'number' | 'sizes'>,
    data: Iterable<Uint8Array<ArrayBuffer>>,
  ) => Promise<void>;
  readonly head: (number: number) => Promise<PieceHead>;
  /**
   * Streams the bytes of a piece. Rejects with 'Failed to open stored data' when they are not the
   * bytes that were added.
   */
  readonly bytes: (number: number) => AsyncIterable<Uint8Array<ArrayBuffer>>;
};

/** A working copy as one tab sees it. Another tab may continue it or start another in its place. */
export type KeptExport = ExportFiles & {
  readonly sealedKey: string;
  /** Counts the pieces added since. */
  readonly recount: () => Promise<void>;
};

async function write(folder: FileSystemDirectoryHandle, name: string, bytes: Uint8Array): Promise<void> {
  const file = (await folder.getFileHandle(name, { create: true })) as WorkerFileHandle;
  const handle = await file.createSyncAccessHandle();
  try {
    handle.truncate(0);
    if (handle.write(bytes, { at: 0 }) !== bytes.length) throw new DOMException('', 'QuotaExceededError');
    handle.flush();
  } finally {
    handle.close();
  }
}

async function read(folder: FileSystemDirectoryHandle, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = await (await folder.getFileHandle(name)).getFile();
  return new Uint8Array(await file.arrayBuffer());
}

const pack = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const unpack = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

const findFolder = async (create: boolean): Promise<FileSystemDirectoryHandle> =>
  (await navigator.storage.getDirectory()).getDirectoryHandle(folderName, { create });

const isMissing = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'NotFoundError';

/** Removes the working copy. Rejects while one of its files is open. */
export async function removeExport(): Promise<void> {
  const root = await navigator.storage.getDirectory();
  await root.removeEntry(folderName, { recursive: true }).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

const damaged = 'Failed to open stored data';

function filesIn(
  folder: FileSystemDirectoryHandle,
  box: SearchBox,
  plan: ExportPlan,
  sealedKey: string,
): KeptExport {
  let count = 0;
  const files: KeptExport = {
    plan,
    sealedKey,
    count: () => count,
    add: async (rest, data) => {
      const sizes: number[] = [];
      for (const bytes of data) {
        await write(folder, dataName(count, sizes.length), await box.seal('segment', bytes));
        sizes.push(bytes.length);
      }
      const head: PieceHead = { number: count, sizes, ...rest };
      await write(folder, headName(count), await box.seal('head', pack(head)));
      count += 1;
    },
    head: async number => {
      const head = pieceHead.parse(unpack(await box.open('head', await read(folder, headName(number)))));
      if (head.number !== number) throw new Error(damaged);
      return head;
    },
    async *bytes(number) {
      const { sizes } = await files.head(number);
      for (const [part, sizeBytes] of sizes.entries()) {
        const bytes = await box.open('segment', await read(folder, dataName(number, part)));
        if (bytes.length !== sizeBytes) throw new Error(damaged);
        yield bytes;
      }
    },
    recount: async () => {
      while ((await files.head(count).catch(() => null)) !== null) count += 1;
    },
  };
  return files;
}

/**
 * Starts a working copy in place of the existing one; the caller must hold the lock. `key` belongs
 * to this export, `sealedKey` is its form sealed for the owner.
 */
export async function beginExport(key: Uint8Array, sealedKey: string, plan: ExportPlan): Promise<KeptExport> {
  await removeExport();
  const folder = await findFolder(true);
  const box = await createSearchBox(key);
  await write(folder, keyName, new TextEncoder().encode(sealedKey));
  await write(folder, planName, await box.seal('state', pack(plan)));
  return filesIn(folder, box, plan, sealedKey);
}

type FindOptions = {
  /**
   * Opens a key sealed for the owner; returns null when it belongs to another user. Rejects while
   * that cannot be determined.
   */
  readonly openKey: (sealedKey: string) => Promise<Uint8Array | null>;
  /** The working copy when this tab last checked. */
  readonly before: KeptExport | null;
  /** Whether no other tab works on it, so that another user's copy can be removed. */
  readonly isAlone: boolean;
};

/** Returns the working copy in its current state, or null. Rejects while the keys are locked. */
export async function findExport({ openKey, before, isAlone }: FindOptions): Promise<KeptExport | null> {
  let folder: FileSystemDirectoryHandle;
  let sealedKey: string;
  try {
    folder = await findFolder(false);
    sealedKey = new TextDecoder().decode(await read(folder, keyName));
  } catch {
    // There is none, or it was interrupted before its start completed: the next one replaces it.
    return null;
  }
  if (before?.sealedKey === sealedKey) {
    await before.recount();
    return before;
  }
  const key = await openKey(sealedKey);
  if (key === null) {
    if (isAlone) await removeExport().catch(() => undefined);
    return null;
  }
  try {
    const box = await createSearchBox(key);
    const plan = exportPlan.parse(unpack(await box.open('state', await read(folder, planName))));
    const files = filesIn(folder, box, plan, sealedKey);
    await files.recount();
    return files;
  } catch {
    return null;
  }
}
