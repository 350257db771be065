// The key worker: everything that touches a key or a plaintext payload runs here, off the main thread. Only proxies.
// Signing in and lists need keys alone; what reads and writes MIME is fetched once a list stands, or at its first use.
import * as Comlink from 'comlink';
import { readerWarmMs } from '../timing.ts';
import { openRows, wrapOpened } from './row-opener.ts';
import { exportVault, finishLogin, importVault, lock, prepareLogin, vaultFacts } from './vault-keeper.ts';

const accountKeys = () => import('./account-keys.ts');
const opener = () => import('./mail-opener.ts');
const inviteReader = () => import('./invite-reader.ts');
const answers = () => import('./offline-answers.ts');
const keyLog = () => import('./key-log-check.ts');
const marks = () => import('./key-marks.ts');
const records = () => import('./records.ts');
const searching = () => import('./search-keys.ts');
const retired = () => import('./retired-keys.ts');
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
  createAccount: later(async () => (await accountKeys()).createAccount),
  exportVault,
  importVault,
  vaultFacts,
  lock,
  hashPassword: later(async () => (await accountKeys()).hashPassword),
  isPassword: later(async () => (await accountKeys()).isPassword),
  rewrapVault: later(async () => (await accountKeys()).rewrapVault),
  makeKit: later(async () => (await accountKeys()).makeKit),
  proveKit: later(async () => (await accountKeys()).proveKit),
  openByKit: later(async () => (await accountKeys()).openByKit),
  openRows: (...args: Parameters<typeof openRows>) => openRows(...args).finally(warmOpener),
  wrapOpened,
  openMail: later(async () => (await opener()).openMail),
  openSource: later(async () => (await opener()).openSource),
  openFile: later(async () => (await opener()).openFile),
  readInvites: later(async () => (await inviteReader()).readInvites),
  claimAnswers: later(async () => (await answers()).claimAnswers),
  keepAnswer: later(async () => (await answers()).keepAnswer),
  findAnswer: later(async () => (await answers()).findAnswer),
  checkKeyAnswer: later(async () => (await keyLog()).checkKeyAnswer),
  checkStates: later(async () => (await keyLog()).checkStates),
  isSignedState: later(async () => (await keyLog()).isSignedState),
  findForeignVersion: later(async () => (await keyLog()).findForeignVersion),
  digestKeys: later(async () => (await marks()).digestKeys),
  ownKeyDigest: later(async () => (await marks()).ownKeyDigest),
  safetyNumberWith: later(async () => (await marks()).safetyNumberWith),
  ownShareProof: later(async () => (await marks()).ownShareProof),
  shareProofOf: later(async () => (await marks()).shareProofOf),
  holdRetired: later(async () => (await retired()).holdRetired),
  prepareRotation: later(async () => (await retired()).prepareRotation),
  takeRotation: later(async () => (await retired()).takeRotation),
  dropRotation: later(async () => (await retired()).dropRotation),
  rewrapOld: later(async () => (await retired()).rewrapOld),
  sealRecord: later(async () => (await records()).sealRecord),
  sealOwnRecord: later(async () => (await records()).sealOwnRecord),
  openRecord: later(async () => (await records()).openRecord),
  openSearchPort: later(async () => (await searching()).openSearchPort),
  openNewDraft: later(async () => (await sealer()).openNewDraft),
  openStoredDraft: later(async () => (await sealer()).openStoredDraft),
  openWrappedDraft: later(async () => (await sealer()).openWrappedDraft),
  wrapDraft: later(async () => (await sealer()).wrapDraft),
  closeDraft: later(async () => (await sealer()).closeDraft),
  sealDraft: later(async () => (await sealer()).sealDraft),
  recoverFile: later(async () => (await sealer()).recoverFile),
  sealLetter: later(async () => (await sealer()).sealLetter),
  sealFile: later(async () => (await sealer()).sealFile),
};
export type KeyWorker = typeof keyWorker;

Comlink.expose(keyWorker);
