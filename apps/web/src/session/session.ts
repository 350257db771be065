// The session's life cycle in the browser: its start, the check on entry, restoring a kept session,
// signing out (docs/spec-map.md 4, docs/api-conventions.md#sessions). Stored data is sealed under
// the server's client key.

import type { User } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { keys, lockKeys } from '../crypto/key-client.ts';
import { KeysMissing } from '../crypto/keys/keys-missing.ts';
import { resumeSearch } from '../crypto/search-client.ts';
import { endWorkers } from '../crypto/worker/session-end.ts';
import { newRequestKey } from '../lib/request-key.ts';
import { inboxPath } from '../paths.ts';
import { type AuthBackup, findAuthBackup, findOfflineAccount } from '../platform/kept-session.ts';
import {
  findStored,
  forgetFileHandles,
  forgetKeptAnswers,
  forgetKeptSession,
  forgetSession,
  forgetStored,
  keepStored,
} from '../platform/storage.ts';
import { AUTH_BACKUP_LIFETIME_MS, RESTORE_KEY_LIFETIME_MS, SESSION_RETRY_DELAY_MS } from '../timing.ts';
import { authClient } from './calls/clients/auth.ts';
import { endTextOf } from './calls/end-words.ts';
import { setUser } from './state/current-user.ts';
import { followMainKey, keepOfflineAccount } from './state/offline-account.ts';
import { findOpenWork } from './state/open-work.ts';
import { noteSignOut, sessionStatus, setSessionStatus } from './state/session-state.ts';

/** Raised when the session cannot continue and the sign-in form is required. */
export class LoginRequiredError extends Error {
  override name = 'LoginRequiredError';
  constructor(message = 'Login required') {
    super(message);
  }
}

/** The user who signed in since the page was loaded. */
let visitor: string | null = null;

/**
 * A different user gets a fresh page: none of the previous user's mail or open drafts may stay in
 * memory.
 */
async function admit(user: User): Promise<void> {
  if (visitor !== null && visitor !== user.kdf_email) {
    location.replace(inboxPath);
    await new Promise(() => undefined);
  }
  visitor = user.kdf_email;
  // Without the retired keys, old messages do not open and say so; that must not prevent sign-in.
  if (user.retired_keys.length > 0)
    await keys()
      .holdRetired(user.retired_keys)
      .catch(() => 0);
  resumeSearch();
  followMainKey();
  setUser(user);
  setSessionStatus('in');
}

async function begin(user: User, keepSignedIn: boolean): Promise<void> {
  const vaultData = await keys().exportVault(user.client_key);
  keepStored('vault', vaultData);
  // Other tabs reload when it changes, both for another user and for other keys.
  keepStored('user', JSON.stringify({ email: user.kdf_email, key_id: user.main_key.key_id }));
  if (keepSignedIn) {
    const backup: AuthBackup = { email: user.kdf_email, timestamp: Date.now(), vaultData, persistent: true };
    keepStored('auth_backup', JSON.stringify(backup));
    // Must come before anything is stored. A browser that stores nothing must not prevent sign-in.
    await keys()
      .claimAnswers()
      .catch(() => undefined);
    keepStored('keep_signed_in', 'true');
    await keepOfflineAccount(user);
  } else {
    forgetKeptSession();
    forgetKeptAnswers();
  }
  await admit(user);
}

/** Continues as a user whose keys are already open; only for this visit unless `keep` is set. */
export const enterAs = (user: User, keep = false): Promise<void> => begin(user, keep);

async function openStoredVault(user: User, sealed: string | null): Promise<void> {
  if (sealed === null) throw new LoginRequiredError('Vault not found. Please login again.');
  const facts = await keys().importVault(user.client_key, sealed);
  if (facts.email !== user.kdf_email) throw new LoginRequiredError('Email mismatch. Please login again.');
  if (facts.keyId !== user.main_key.key_id) throw new LoginRequiredError();
}

async function checkSession(): Promise<void> {
  const { data: user } = await authClient.check({});
  await openStoredVault(user, findStored('vault'));
  await admit(user);
}

/**
 * Runs `work` in one tab at a time; immediately if the browser has no locks (pages without TLS).
 */
const alone = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request(name, work) : work();

/**
 * Returns the idempotency key of an unanswered restore while the server still recognizes it;
 * otherwise a new one, stored for that case.
 */
function keepRestoreKey(): string {
  const [key = '', askedAt] = findStored('restore_key')?.split(' ') ?? [];
  if (Date.now() - Number(askedAt) < RESTORE_KEY_LIFETIME_MS) return key;
  const fresh = newRequestKey();
  keepStored('restore_key', `${fresh} ${Date.now()}`);
  return fresh;
}

/**
 * Requests the kept session. Its token is single-use: if no response arrives, the same use is
 * requested again.
 */
async function askRestore({ email, timestamp }: AuthBackup): Promise<{ readonly data: User }> {
  const headers = { 'idempotency-key': keepRestoreKey() };
  try {
    const answer = await authClient.restore({ email, timestamp }, { headers });
    forgetStored('restore_key');
    return answer;
  } catch (error) {
    if (!isOffline(error)) forgetStored('restore_key');
    throw error;
  }
}

/**
 * Restores the kept session. One tab at a time: the device cookie is single-use, and a second tab
 * finds the session that the first one started.
 */
async function restoreSession(backup: AuthBackup): Promise<void> {
  await alone('restore-session', async () => {
    const isRestored = await checkSession().then(
      () => true,
      () => false,
    );
    if (isRestored) return;
    const { data: user } = await askRestore(backup);
    await openStoredVault(user, backup.vaultData);
    await begin(user, true);
  });
}

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/**
 * Returns whether an error says nothing about the session: no response, no script for the key
 * worker, or a 503.
 */
const isOffline = (error: unknown): boolean =>
  error instanceof KeysMissing ||
  (error instanceof CallError && (error.status === 0 || error.status === 503));

/** Returns the backup of a kept session if it is recent enough; clears an old one. */
function findFreshBackup(): AuthBackup | null {
  const backup = findAuthBackup();
  if (backup !== null && Date.now() - backup.timestamp < AUTH_BACKUP_LIFETIME_MS) return backup;
  forgetKeptSession();
  return null;
}

/**
 * The check on entry: tries the session, then the kept one, then checks once more after half a
 * second. Ends with the status `in` or `out`, or `locked` if there was no response. The text of a
 * thrown error is for a toast.
 */
export async function enter(): Promise<void> {
  // A page opened without the server does not change before there is a response.
  if (sessionStatus() !== 'locked') setSessionStatus('checking');
  // The worker's script loads while the server answers.
  if (findStored('vault') !== null) keys();
  try {
    await checkSession();
    return;
  } catch (error) {
    const backup = findFreshBackup();
    // Without the key worker, a use of the kept session would be wasted.
    const why = endTextOf(error);
    if (backup === null || error instanceof KeysMissing) return leave(error, why);
    try {
      await restoreSession(backup);
    } catch (restoreError) {
      await retryWithBackup(backup, restoreError, why ?? endTextOf(restoreError));
    }
  }
}

async function retryWithBackup(backup: AuthBackup, cause: unknown, why: string | undefined): Promise<void> {
  await wait(SESSION_RETRY_DELAY_MS);
  try {
    const { data: user } = await authClient.check({});
    if (user.kdf_email !== backup.email) throw new LoginRequiredError('Email mismatch. Please login again.');
    await openStoredVault(user, backup.vaultData);
    await begin(user, true);
  } catch (error) {
    // Without a response nothing is known about the kept session, so it is not discarded.
    if (!isOffline(error) && !isOffline(cause)) {
      forgetKeptSession();
    }
    leave(isOffline(error) ? error : cause, why);
  }
}

function leave(error: unknown, why?: string): void {
  setUser(null);
  if (isOffline(error)) {
    setSessionStatus('locked');
    return;
  }
  setSessionStatus('out', why);
  const isExpected = error instanceof CallError && error.status === 401;
  if (!isExpected && !(error instanceof LoginRequiredError)) throw error;
  forgetFileHandles();
}

let retrying: Promise<void> | null = null;

/** Repeats the check on entry for a `locked` page. Without a response nothing changes. */
export function enterAgain(): Promise<void> {
  retrying ??= enter().finally(() => {
    retrying = null;
  });
  return retrying;
}

/**
 * Handles a session that the server has ended: wipes the keys and keeps open drafts for the same
 * user's return.
 */
export async function loseSession(why?: string): Promise<void> {
  const work = findOpenWork();
  setSessionStatus(work === null ? 'out' : 'expired', why);
  endWorkers();
  forgetFileHandles();
  await work?.keep();
  await lockKeys();
}

/**
 * Signs out: the server ends the session, and this device removes all of its data. Also works
 * without the server.
 */
export async function signOut(): Promise<void> {
  noteSignOut();
  await authClient.logout({}).catch(() => undefined);
  endWorkers();
  await lockKeys();
  await forgetSession();
  setUser(null);
  setSessionStatus('out');
}

let isUnlockedHere = false;
let rejoining: Promise<boolean> | null = null;

/** Returns whether the session was opened without the server, which does not know of it. */
export const isOfflineSession = (): boolean => isUnlockedHere;

/** Opens the data stored on this device without the server. Rejects when the password is wrong. */
export async function unlockOffline(password: string): Promise<void> {
  await retrying?.catch(() => undefined);
  if (sessionStatus() !== 'locked') return;
  const account = findOfflineAccount();
  if (account === null) throw new LoginRequiredError();
  const { email, main_key: key } = account;
  await keys().prepareLogin(email, password);
  await keys().finishLogin(email, key);
  isUnlockedHere = true;
  const kept = (await keys().openRecord('offline', 'user', account.user)) as User;
  // Data stored before the field existed lacks it.
  await admit({ ...kept, retired_keys: kept.retired_keys ?? [] });
}

/**
 * Continues with the session or the kept one. Otherwise the sign-in form is required, unless there
 * was no response. Returns whether the session continues. One tab at a time, as at the start.
 */
export function rejoin(): Promise<boolean> {
  rejoining ??= alone('restore-session', askAgain).finally(() => {
    rejoining = null;
  });
  return rejoining;
}

async function askAgain(): Promise<boolean> {
  try {
    return await resume(await authClient.check({}));
  } catch (error) {
    if (isOffline(error)) return false;
    const backup = findFreshBackup();
    if (backup === null) return lose();
    try {
      return await resume(await askRestore(backup));
    } catch (cause) {
      if (isOffline(cause)) return false;
      forgetKeptSession();
      return lose();
    }
  }
}

const lose = (): Promise<false> => loseSession().then(() => false);

async function resume({ data: user }: { readonly data: User }): Promise<boolean> {
  const { keyId } = await keys().vaultFacts();
  if (keyId !== user.main_key.key_id) return lose();
  isUnlockedHere = false;
  await begin(user, true);
  return true;
}
