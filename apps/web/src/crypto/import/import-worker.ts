// The import worker: reads mail files in slices, encrypts each message and uploads it
// (docs/interpretations.md#26). It sees only the keys of single messages, which it generates
// itself; only the key worker holds the vault.
import * as Comlink from 'comlink';
import { serveWorker } from '../worker/serve-worker.ts';
import { type OpenedFiles, openFiles } from './import-files.ts';
import type { ImportPort } from './import-keys.ts';
import { runImport } from './import-run.ts';
import type { ImportEnd, ImportListener, ImportPlan, OpenedImport } from './import-types.ts';

let keys: Comlink.Remote<ImportPort> | null = null;
let files: OpenedFiles | null = null;
let stop = new AbortController();
let goOn: (() => void) | null = null;
let gate: Promise<void> = Promise.resolve();

const importWorker = {
  /** `portToKeys` connects to the key worker. */
  start: (portToKeys: MessagePort): void => {
    keys = Comlink.wrap<ImportPort>(portToKeys);
  },
  /** Opens the files that the next run reads. */
  open: async (given: readonly File[]): Promise<OpenedImport> => {
    files = await openFiles(given);
    return files.opened;
  },
  /** Runs the import to completion. */
  run: async (plan: ImportPlan, listener: ImportListener): Promise<ImportEnd> => {
    const port = keys;
    if (files === null || port === null) throw new Error('No files are open');
    stop = new AbortController();
    return runImport({
      files,
      plan,
      listener,
      door: {
        wrapKey: (key, binding) => port.wrapKey(key, binding),
        nameMessage: digest => port.nameMessage(digest),
      },
      signal: stop.signal,
      gate: () => gate,
    });
  },
  /** Pauses the run after the work in progress, or resumes it. */
  hold: (isHeld: boolean): void => {
    if (isHeld && goOn === null) {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      goOn = resolve;
    } else if (!isHeld) {
      goOn?.();
      goOn = null;
    }
  },
  /** Cancels the run; messages already uploaded stay on the server. */
  cancel: (): void => {
    stop.abort(new Error('cancelled'));
    importWorker.hold(false);
  },
};
export type ImportWorker = typeof importWorker;

serveWorker(importWorker);
