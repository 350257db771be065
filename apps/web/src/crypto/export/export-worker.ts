// The export worker: gets messages that the reading worker (reading.ts) has fetched, opened and
// assembled, packs them, and keeps the archive sealed on the device until it is saved
// (export-job.ts). It holds only the key of this export; the page receives numbers, and at the end
// a file.
import { leftOutOf } from '@keyfold/contract/rows';
import * as Comlink from 'comlink';
import { createReading } from '../reading/reading.ts';
import { startReader } from '../reading/reading-start.ts';
import { mailClient } from '../reading/search-calls.ts';
import type { ExportPort } from '../reading/search-keys.ts';
import { serveWorker } from '../worker/serve-worker.ts';
import { createExportJob, type ExportJob, type ExportState } from './export-job.ts';

/** Number of ids per page of the list of all mail. */
const IDS_AT_ONCE = 5_000;

async function listAll(): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const last = ids.at(-1);
    const page = await mailClient.ids({
      count: IDS_AT_ONCE,
      ...(last === undefined ? {} : { last_id: last }),
    });
    ids.push(...page.data.map(([id]) => id));
    if (page.data.length === 0 || page.data.length + leftOutOf(page.data) < IDS_AT_ONCE) return ids;
  }
}

let started: ExportJob | null = null;

function getJob(): ExportJob {
  if (started === null) throw new Error('The worker was not started');
  return started;
}

const exportWorker = {
  /**
   * Connects to the key worker over `portToKeys`. Returns the export that a closed tab left, or
   * null.
   */
  start: (
    portToKeys: MessagePort,
    tell: (state: ExportState | null) => void,
  ): Promise<ExportState | null> => {
    const keys = Comlink.wrap<ExportPort>(portToKeys);
    const reading = createReading(() => startReader(keys));
    started = createExportJob({
      keys: { makeKey: () => keys.makeKey(), openKey: sealed => keys.openKey(sealed) },
      reading: { sources: (ids, take) => reading.sources(ids, Comlink.proxy(take)) },
      listAll,
      tell,
    });
    return started.find();
  },
  begin: (...of: Parameters<ExportJob['begin']>): Promise<ExportState> => getJob().begin(...of),
  run: (): Promise<void> => getJob().run(),
  pause: (): void => getJob().pause(),
  save: (...of: Parameters<ExportJob['save']>): Promise<Blob | null> => getJob().save(...of),
  remove: (): Promise<void> => getJob().remove(),
};
export type ExportWorker = typeof exportWorker;

serveWorker(exportWorker);
