/**
 * A PST file as the source of an import. A child process reads it; when one dies, another resumes,
 * and the item at which two died is skipped.
 */
import type { FileHandle } from 'node:fs/promises';
import type { ImportItem } from '@keyfold/import/items';
import type { StoredFile } from '../../../adapters/import-files.ts';
import {
  PST_DEATHS_MAX,
  PST_READING_MS,
  PST_READING_PER_GIB_MS,
  PST_STORE_AWAY_MS,
  PST_SUSPENDED_MS,
  PST_TURN_MS,
  PST_UPLOAD_NOTED_MS,
} from '../../../base/import-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { findOutage } from '../../support/health/index.ts';
import { isDiscarded, isInbox } from './folder-tags.ts';
import { dropPstFile } from './pst-leftovers.ts';
import { type PstReading, PstRefused, ReadingProcessDied, startReading } from './pst-reader.ts';
import { openPstSecret, PST_KEY_PURPOSE } from './pst-secret.ts';
import { type ImportSource, Postponed, type SourceItem, SourceRefused, type Turn } from './source.ts';

export type PstSourceOptions = {
  /** Length of a turn while other imports wait, milliseconds. */
  readonly turnMs?: number;
  /** Total reading time for a file of this size, milliseconds. */
  readonly readingMs?: (sizeBytes: number) => number;
};

const usualReadingMs = (sizeBytes: number): number =>
  PST_READING_MS + PST_READING_PER_GIB_MS * (sizeBytes / 1024 ** 3);

type PstDeps = Pick<Deps, 'importFiles' | 'logger' | 'masterKey'>;

function toSourceItem({ masterKey }: PstDeps, importId: string, item: ImportItem): SourceItem {
  const { key } = item;
  if (item.kind === 'broken') return { kind: 'failed', key, reason: item.reason };
  if (item.kind !== 'mail') return { kind: 'skipped', key };
  const { isRead, isStarred, isSent } = item.flags;
  // A draft in the trash is not restored as a draft.
  const isDraft = item.flags.isDraft && !isDiscarded(item.folder);
  const isSomewhere = isSent || isDraft || isInbox(item.folder);
  return {
    kind: 'mail',
    key,
    raw: item.raw,
    receivedAt: item.receivedAt,
    flags: {
      read: isRead || isDraft,
      starred: isStarred,
      draft: isDraft,
      sent: isSent,
      archived: !isSomewhere,
    },
    folders: isSent || isDraft ? [] : [item.folder],
    receiptDigest: masterKey.digest(PST_KEY_PURPOSE, importId, key),
  };
}

/** Reads to the end of the file with one process. Throws whatever ends it early. */
async function readOn(deps: PstDeps, turn: Turn, reading: PstReading): Promise<void> {
  let notedTotal: number | null = null;
  for (let item = await reading.next(); item !== null; item = await reading.next()) {
    turn.signal.throwIfAborted();
    const total = reading.total();
    if (total !== notedTotal && total !== null) {
      notedTotal = total;
      await turn.note({ total });
    }
    await turn.take(toSourceItem(deps, turn.job.id, item));
  }
}

/**
 * Opens the file; the caller closes it. Extends the lease while the file is downloaded, see
 * [Note: Fetched files].
 */
async function openFile(
  { importFiles, logger }: PstDeps,
  turn: Turn,
  stored: StoredFile,
): Promise<FileHandle> {
  const importId = turn.job.id;
  let notedAt = performance.now();
  const goOn = async () => {
    turn.signal.throwIfAborted();
    if (performance.now() - notedAt < PST_UPLOAD_NOTED_MS) return;
    notedAt = performance.now();
    await turn.note({});
  };
  const file = await importFiles.open(importId, stored, goOn).catch((error: unknown) => {
    // In an outage the import waits: the file is intact, and another machine may have enough disk
    // space.
    if (findOutage(error) === null) throw error;
    logger.warn({ err: error, importId }, 'import file unavailable, will retry');
    throw new Postponed(PST_STORE_AWAY_MS);
  });
  if (file === null) throw new SourceRefused('lost');
  return file;
}

/** Reads to the end of the file with one process after the other. Throws whatever ends it early. */
async function readWhole(deps: PstDeps, turn: Turn, file: FileHandle, key: Uint8Array): Promise<void> {
  const { job, signal } = turn;
  /** Key of the item before the one at which the last process died. */
  let diedBehind: string | null | undefined;
  for (;;) {
    const reading = startReading(file.fd, {
      sizeBytes: job.sizeBytes,
      key,
      after: turn.lastKey(),
      // One crash may be a coincidence; a second at the same place is caused by the item.
      isNextLeftOut: diedBehind === turn.lastKey(),
    });
    const stop = () => reading.close();
    signal.addEventListener('abort', stop);
    try {
      return await readOn(deps, turn, reading);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PstRefused) throw new SourceRefused(error.code);
      if (!(error instanceof ReadingProcessDied)) throw error;
      const deaths = turn.deaths() + 1;
      if (deaths > PST_DEATHS_MAX) throw new SourceRefused('too_slow');
      await turn.note({ deaths });
      diedBehind = turn.lastKey();
    } finally {
      signal.removeEventListener('abort', stop);
      reading.close();
    }
  }
}

export function createPstSource(
  deps: PstDeps,
  { turnMs = PST_TURN_MS, readingMs = usualReadingMs }: PstSourceOptions = {},
): ImportSource {
  return {
    kind: 'pst',
    turnMs,
    isTurnFirm: false,
    isForgiving: false,
    readingMs: ({ sizeBytes }) => readingMs(sizeBytes),
    whileSuspended: () => new Postponed(PST_SUSPENDED_MS),
    forget: id => dropPstFile(deps, id),
    read: async turn => {
      const { id, secretSealed, sizeBytes } = turn.job;
      if (secretSealed === null) throw new SourceRefused('lost');
      const { key, digest } = openPstSecret(deps, id, secretSealed);
      const file = await openFile(deps, turn, { sizeBytes, digest });
      try {
        turn.begin();
        await readWhole(deps, turn, file, key);
      } finally {
        await file.close();
      }
    },
  };
}
