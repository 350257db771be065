/**
 * A PST file as what an import reads from: one process after the other reads it, and the thing of which two died is left out.
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
} from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { findOutage } from '../../support/health/index.ts';
import { isDiscarded, isInbox } from './folder-tags.ts';
import { dropPstFile } from './pst-leftovers.ts';
import { type PstReading, PstRefused, ReadingProcessDied, startReading } from './pst-reader.ts';
import { openPstSecret, PST_KEY_PURPOSE } from './pst-secret.ts';
import { type ImportSource, Postponed, type SourceItem, SourceRefused, type Turn } from './source.ts';

export type PstSourceOptions = {
  /** How long a file is read while others wait. */
  readonly turnMs?: number;
  /** How long a file of so many bytes is read in all. */
  readonly readingMs?: (sizeBytes: number) => number;
};

const usualReadingMs = (sizeBytes: number): number =>
  PST_READING_MS + PST_READING_PER_GIB_MS * (sizeBytes / 1024 ** 3);

export function createPstSource(
  deps: Pick<Deps, 'importFiles' | 'logger' | 'masterKey'>,
  { turnMs = PST_TURN_MS, readingMs = usualReadingMs }: PstSourceOptions = {},
): ImportSource {
  const { importFiles, logger, masterKey } = deps;

  const toSource = (importId: string, item: ImportItem): SourceItem => {
    const { key } = item;
    if (item.kind === 'broken') return { kind: 'failed', key, reason: item.reason };
    if (item.kind !== 'mail') return { kind: 'skipped', key };
    const { isRead, isStarred, isSent } = item.flags;
    // What was thrown away half-written is nothing to go on with.
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
  };

  /** Reads with one process until the file's end. Throws what ends it before. */
  const readOn = async (turn: Turn, reading: PstReading): Promise<void> => {
    let told: number | null = null;
    for (let item = await reading.next(); item !== null; item = await reading.next()) {
      turn.signal.throwIfAborted();
      const total = reading.total();
      if (total !== told && total !== null) {
        told = total;
        await turn.note({ total });
      }
      await turn.take(toSource(turn.job.id, item));
    }
  };

  /** The file on this machine, to be closed; it may have to be brought here first ([Note: Fetched files]), while the lease is moved on. */
  const openFile = async (turn: Turn, stored: StoredFile): Promise<FileHandle> => {
    const importId = turn.job.id;
    let notedAt = performance.now();
    const goOn = async () => {
      turn.signal.throwIfAborted();
      if (performance.now() - notedAt < PST_UPLOAD_NOTED_MS) return;
      notedAt = performance.now();
      await turn.note({});
    };
    const file = await importFiles.open(importId, stored, goOn).catch((error: unknown) => {
      // No outage is the file's failure, and it is there for the next turn, at a machine with room perhaps.
      if (findOutage(error) === null) throw error;
      logger.warn({ err: error, importId }, 'the file of an import is not to be had now');
      throw new Postponed(PST_STORE_AWAY_MS);
    });
    if (file === null) throw new SourceRefused('lost');
    return file;
  };

  /** Reads a file with one process after the other, to its end. Throws what ends it before. */
  const readWhole = async (turn: Turn, file: FileHandle, key: Uint8Array): Promise<void> => {
    const { job, signal } = turn;
    /** Behind what the last process died. */
    let diedBehind: string | null | undefined;
    for (;;) {
      const reading = startReading(file.fd, {
        sizeBytes: job.sizeBytes,
        key,
        after: turn.lastKey(),
        // The first death may be bad luck; the second at the same place is the thing behind it.
        isNextLeftOut: diedBehind === turn.lastKey(),
      });
      const stop = () => reading.close();
      signal.addEventListener('abort', stop);
      try {
        return await readOn(turn, reading);
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
  };

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
      const file = await openFile(turn, { sizeBytes, digest });
      try {
        turn.begin();
        await readWhole(turn, file, key);
      } finally {
        await file.close();
      }
    },
  };
}
