// Packs files into an archive in a separate worker, because checksums over many megabytes would
// block the page.
import { serveWorker } from '../../../crypto/worker/serve-worker.ts';
import { type ZipFile, zipOf } from '../../../lib/zip.ts';

const zipWorker = {
  zip: (files: readonly ZipFile[], atMs: number): Promise<Blob> => zipOf(files, new Date(atMs)),
};
export type ZipWorker = typeof zipWorker;

serveWorker(zipWorker);
