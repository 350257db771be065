// Main-thread client of the zip worker. The worker exists only while it has work.
import * as Comlink from 'comlink';
import { startWorker } from '../../../crypto/worker/start-worker.ts';
import type { ZipFile } from '../../../lib/zip.ts';
import type { ZipWorker } from './zip-worker.ts';
import workerUrl from './zip-worker.ts?worker&url';

/** Packs the files into one archive. */
export async function zipFiles(files: readonly ZipFile[]): Promise<Blob> {
  const worker = startWorker(workerUrl, 'zip');
  try {
    return await Comlink.wrap<ZipWorker>(worker).zip(files, Date.now());
  } finally {
    worker.terminate();
  }
}
