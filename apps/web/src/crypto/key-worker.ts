// The key worker: everything that touches a key or a plaintext payload runs here, off the main
// thread. This module only proxies. Signing in and lists need only the keys; the code that reads
// and writes MIME is loaded once a list is displayed, or on first use.

import { READER_WARM_MS } from '../timing.ts';
import { exportVault, importVault, lock, vaultFacts } from './keys/vault-keeper.ts';
import { openRows, wrapOpened } from './mail/row-opener.ts';
import { later } from './worker/later.ts';
import { serveWorker } from './worker/serve-worker.ts';

const accountKeys = () => import('./keys/account-keys.ts');
const opener = () => import('./mail/mail-opener.ts');
const mended = () => import('./mail/mended-summary.ts');
const inviteReader = () => import('./mail/invite-reader.ts');
const answers = () => import('./mail/offline-answers.ts');
const keyLog = () => import('./keys/key-log-check.ts');
const login = () => import('./keys/login-keys.ts');
const fingerprints = () => import('./keys/key-fingerprints.ts');
const records = () => import('./keys/records.ts');
const importing = () => import('./import/import-keys.ts');
const searching = () => import('./reading/search-keys.ts');
const retired = () => import('./mail/retired-keys.ts');
const sealer = () => import('./mail/mail-sealer.ts');

let isWarm = false;

/** Loads the parser before the first message is opened. */
function warmOpener(): void {
  if (isWarm) return;
  isWarm = true;
  setTimeout(() => void opener().catch(() => undefined), READER_WARM_MS);
}

const keyWorker = {
  exportVault,
  importVault,
  vaultFacts,
  lock,
  openRows: (...args: Parameters<typeof openRows>) => openRows(...args).finally(warmOpener),
  wrapOpened,
  ...later(login, 'prepareLogin', 'finishLogin'),
  ...later(
    accountKeys,
    'createAccount',
    'hashPassword',
    'isPassword',
    'rewrapVault',
    'makeKit',
    'proveKit',
    'openByKit',
  ),
  ...later(opener, 'openMail', 'openSource', 'openFile'),
  ...later(mended, 'mendSnippet'),
  ...later(inviteReader, 'readInvites'),
  ...later(answers, 'claimAnswers', 'keepAnswer', 'findAnswer'),
  ...later(keyLog, 'checkKeyAnswer', 'checkStates', 'isSignedState', 'findForeignVersion'),
  ...later(fingerprints, 'digestKeys', 'ownKeyDigest', 'safetyNumberWith', 'ownShareProof', 'shareProofOf'),
  ...later(retired, 'holdRetired', 'prepareRotation', 'takeRotation', 'dropRotation', 'rewrapOld'),
  ...later(records, 'sealRecord', 'sealOwnRecord', 'openRecord'),
  ...later(searching, 'openSearchPort'),
  ...later(importing, 'openImportPort'),
  ...later(
    sealer,
    'openNewDraft',
    'openStoredDraft',
    'openWrappedDraft',
    'wrapDraft',
    'closeDraft',
    'sealDraft',
    'recoverFile',
    'sealOutgoing',
    'sealFile',
  ),
};
export type KeyWorker = typeof keyWorker;

serveWorker(keyWorker);
