// The key worker: everything that touches a key or a plaintext payload runs here, off the main thread. Only proxies.
// Signing in and lists need keys alone; what reads and writes MIME is fetched once a list stands, or at its first use.
import * as Comlink from 'comlink';
import { readerWarmMs } from '../timing.ts';
import { openRows, wrapOpened } from './row-opener.ts';
import {
  createAccount,
  exportVault,
  finishLogin,
  importVault,
  lock,
  prepareLogin,
  vaultFacts,
} from './vault-keeper.ts';

const opener = () => import('./mail-opener.ts');
const sealer = () => import('./mail-sealer.ts');

/** A function of a part of the worker that is fetched when it is first called. */
function later<Args extends unknown[], Result>(load: () => Promise<(...args: Args) => Result>) {
  return async (...args: Args): Promise<Awaited<Result>> => await (await load())(...args);
}

let isWarm = false;

/** Fetches the parser ahead of the first mail that is opened. */
function warmOpener(): void {
  if (isWarm) return;
  isWarm = true;
  setTimeout(() => void opener().catch(() => undefined), readerWarmMs);
}

const keyWorker = {
  prepareLogin,
  finishLogin,
  createAccount,
  exportVault,
  importVault,
  vaultFacts,
  lock,
  openRows: (...args: Parameters<typeof openRows>) => openRows(...args).finally(warmOpener),
  wrapOpened,
  openMail: later(async () => (await opener()).openMail),
  openSource: later(async () => (await opener()).openSource),
  openFile: later(async () => (await opener()).openFile),
  openNewDraft: later(async () => (await sealer()).openNewDraft),
  openStoredDraft: later(async () => (await sealer()).openStoredDraft),
  closeDraft: later(async () => (await sealer()).closeDraft),
  sealDraft: later(async () => (await sealer()).sealDraft),
  recoverFile: later(async () => (await sealer()).recoverFile),
  sealLetter: later(async () => (await sealer()).sealLetter),
  sealFile: later(async () => (await sealer()).sealFile),
};
export type KeyWorker = typeof keyWorker;

Comlink.expose(keyWorker);
