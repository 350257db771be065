// The working copy of an export on this device: pieces of the archive in the origin private file system, sealed under a key
// of this export alone, so that a tab that was closed can go on. A piece counts once its head is there; nothing of the
// archive is readable before it is saved where its owner wants it.
import { createSearchBox, type SearchBox } from '@keyfold/crypto/search-index';
import { z } from 'zod';

/** What is exported, how, and when it was begun; readable once the key is there. */
export const exportPlan = z.object({
  format: z.enum(['mbox', 'eml']),
  /** What was chosen, as its owner reads it; null is all mail. */
  scope: z.object({ kind: z.enum(['tag', 'search']), text: z.string() }).nullable(),
  ids: z.array(z.string()),
  beganAt: z.string(),
});
export type ExportPlan = z.infer<typeof exportPlan>;

const place = z.object({
  /** Mails of the plan that were looked at. */
  done: z.number(),
  /** Mails in the archive. */
  mails: z.number(),
  failed: z.number(),
  /** Bytes of mail in the archive. */
  bytes: z.number(),
  /** Checksum of the mails so far, for an archive that has them in one file. */
  crc: z.number(),
});
/** Where the work stands after a piece. */
export type ExportPlace = z.infer<typeof place>;

const pieceHead = z.object({
  number: z.number(),
  sizeBytes: z.number(),
  place,
  entries: z.array(z.tuple([z.string(), z.number(), z.number(), z.number()])),
  mails: z.array(z.string()),
  failed: z.array(z.string()),
});
/** What is known of a piece: files in it (name, checksum, bytes, offset), and lines of the manifest. */
export type PieceHead = z.infer<typeof pieceHead>;

const folderName = 'export';
const planName = 'plan';
const keyName = 'key';
const dataName = (number: number): string => `${number}.data`;
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
  /** Pieces that are whole. */
  readonly count: () => number;
  readonly add: (head: PieceHead, bytes: Uint8Array) => Promise<void>;
  readonly head: (number: number) => Promise<PieceHead>;
  readonly bytes: (number: number) => Promise<Uint8Array<ArrayBuffer>>;
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

/** Removes the working copy. */
export async function removeExport(): Promise<void> {
  const root = await navigator.storage.getDirectory();
  await root.removeEntry(folderName, { recursive: true }).catch(() => undefined);
}

function filesIn(
  folder: FileSystemDirectoryHandle,
  box: SearchBox,
  plan: ExportPlan,
  whole: number,
): ExportFiles {
  let count = whole;
  return {
    plan,
    count: () => count,
    add: async (head, bytes) => {
      await write(folder, dataName(head.number), await box.seal('segment', bytes));
      await write(folder, headName(head.number), await box.seal('head', pack(head)));
      count = head.number + 1;
    },
    head: async number => {
      const head = pieceHead.parse(unpack(await box.open('head', await read(folder, headName(number)))));
      if (head.number !== number) throw new Error('Failed to open stored data');
      return head;
    },
    bytes: async number => box.open('segment', await read(folder, dataName(number))),
  };
}

/** Begins a working copy in the place of what is there. `key` is of this export, `sealedKey` what its owner opens. */
export async function beginExport(
  key: Uint8Array,
  sealedKey: string,
  plan: ExportPlan,
): Promise<ExportFiles> {
  await removeExport();
  const folder = await findFolder(true);
  const box = await createSearchBox(key);
  await write(folder, keyName, new TextEncoder().encode(sealedKey));
  await write(folder, planName, await box.seal('state', pack(plan)));
  return filesIn(folder, box, plan, 0);
}

/** The working copy that a closed tab left, or null. `openKey` opens what was sealed for its owner. */
export async function findExport(
  openKey: (sealedKey: string) => Promise<Uint8Array>,
): Promise<ExportFiles | null> {
  let folder: FileSystemDirectoryHandle;
  try {
    folder = await findFolder(false);
  } catch {
    return null;
  }
  try {
    const box = await createSearchBox(await openKey(new TextDecoder().decode(await read(folder, keyName))));
    const plan = exportPlan.parse(unpack(await box.open('state', await read(folder, planName))));
    const files = filesIn(folder, box, plan, 0);
    let count = 0;
    for (; ; count += 1) if ((await files.head(count).catch(() => null)) === null) break;
    return filesIn(folder, box, plan, count);
  } catch {
    // Of somebody else, or cut off before it had begun.
    await removeExport();
    return null;
  }
}
