// The key worker: everything that touches a key or a plaintext payload runs here, off the main thread. Only proxies.
import * as Comlink from 'comlink';
import { openFile, openMail, openRows, openSource, wrapOpened } from './mail-opener.ts';
import { closeDraft, openNewDraft, openStoredDraft, sealDraft, sealFile, sealLetter } from './mail-sealer.ts';
import {
  createAccount,
  exportVault,
  finishLogin,
  importVault,
  lock,
  prepareLogin,
  vaultFacts,
} from './vault-keeper.ts';

const keyWorker = {
  prepareLogin,
  finishLogin,
  createAccount,
  exportVault,
  importVault,
  vaultFacts,
  lock,
  openRows,
  openMail,
  openSource,
  wrapOpened,
  openFile,
  openNewDraft,
  openStoredDraft,
  closeDraft,
  sealDraft,
  sealLetter,
  sealFile,
};
export type KeyWorker = typeof keyWorker;

Comlink.expose(keyWorker);
