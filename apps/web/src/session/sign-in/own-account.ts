// The user's own account: changing the password, the recovery kit and recovery with it, deletion.
// Loaded only by the pages that offer it. Rejects with CallError and CryptoError.
import type { MainKey } from '@keyfold/contract';
import { recoveryCalls } from '@keyfold/contract/calls/recovery';
import { CallError } from '@keyfold/contract/client';
import type { FactorKind } from '@keyfold/contract/limits';
import { keys, lockKeys } from '../../crypto/key-client.ts';
import { endWorkers } from '../../crypto/worker/session-end.ts';
import { forgetEverything } from '../../platform/forget-everything.ts';
import { clientOf } from '../calls/client.ts';
import { accountClient } from '../calls/clients/account.ts';
import { authClient } from '../calls/clients/auth.ts';
import { enterAs, LoginRequiredError } from '../session.ts';
import { watchSession } from '../start-session.ts';
import { getUser, setUser } from '../state/current-user.ts';
import { keepOfflineAccount, keepsMail } from '../state/offline-account.ts';
import type { OwnProof } from '../trust/factor-proof.ts';

const recoveryClient = clientOf(recoveryCalls);

// Recovery by kit starts a session, like the sign-in form, so it needs the watch too.
watchSession();

/**
 * Returns whether the server has stored these keys although its response was lost; false if it does
 * not say.
 */
async function isTaken(error: unknown, locked: MainKey): Promise<boolean> {
  if (!(error instanceof CallError) || error.status !== 0) return false;
  return authClient.check({}).then(
    // Sealed with a fresh IV each time, so equality proves that these are the same keys.
    ({ data }) => data.main_key.sent_key === locked.sent_key,
    () => false,
  );
}

/** Changes the password: the same keys, wrapped under the new one. All other sessions end. */
export async function changePassword(
  oldPassword: string,
  newPassword: string,
  proof: OwnProof,
): Promise<void> {
  const old_password = await keys().hashPassword(oldPassword);
  const { loginHash, mainKey } = await keys().rewrapVault(newPassword);
  try {
    await accountClient.change_password({
      old_password,
      new_password: loginHash,
      main_key: mainKey,
      ...proof,
    });
  } catch (error) {
    if (!(await isTaken(error, mainKey))) throw error;
  }
  const user = { ...getUser(), main_key: mainKey };
  setUser(user);
  if (keepsMail()) await keepOfflineAccount(user);
}

/** Returns whether this is the password, without asking the server. */
export const isOwnPassword = (password: string): Promise<boolean> =>
  keys().isPassword(password, getUser().main_key);

/** A kit that the server has stored, so its words can be displayed. */
export type FreshKit = { readonly phrase: string; readonly proof: string };

/**
 * Creates a phrase, wraps the open keys with it and stores them beside older kits. Words that have
 * been displayed open the account, even if the page closes.
 */
export async function makeKit(password: string, proof: OwnProof = {}): Promise<FreshKit> {
  const { phrase, kit } = await keys().makeKit();
  const { data } = await accountClient.save_recovery({
    password: await keys().hashPassword(password),
    recovery: kit,
    confirmed: false,
    ...proof,
  });
  setUser({ ...getUser(), recovery_shown_at: data.recovery_at });
  return { phrase, proof: kit.proof };
}

/** Confirms that the user has saved the words of a kit, which then replaces older ones. */
export async function confirmKit({ proof }: FreshKit): Promise<void> {
  const { data } = await accountClient.confirm_recovery({ proof });
  setUser({ ...getUser(), recovery_at: data.recovery_at, recovery_shown_at: null });
}

/** Deletes all kits; their words no longer open anything. */
export async function removeKit(password: string, proof: OwnProof): Promise<void> {
  await accountClient.remove_recovery({ password: await keys().hashPassword(password), ...proof });
  setUser({ ...getUser(), recovery_at: null, recovery_shown_at: null });
}

/** A kit with correct words: what it opens, and which second factors are on. */
export type ProvedKit = {
  readonly email: string;
  readonly phrase: string;
  readonly proof: string;
  readonly kitKey: MainKey;
  readonly factors: readonly FactorKind[];
};

/** Proves to the server that the user has the words of a kit. */
export async function proveKit(address: string, phrase: string): Promise<ProvedKit> {
  const email = address.trim().toLowerCase();
  const proof = await keys().proveKit(email, phrase);
  const { data } = await recoveryClient.recover({ email, proof });
  if (!('factors' in data)) throw new LoginRequiredError();
  return { email, phrase, proof, kitKey: data.main_key, factors: data.factors };
}

/**
 * Opens the account with its kit, sets a new password and signs in. If a second factor is on, it is
 * proved, or `lost`, which turns it off.
 */
export async function recoverAccount(
  kit: ProvedKit,
  password: string,
  factor: OwnProof | 'lost',
): Promise<void> {
  const { email, phrase, proof, kitKey } = kit;
  try {
    const { loginHash, mainKey } = await keys().openByKit(email, phrase, kitKey, password);
    const { data } = await recoveryClient.recover({
      email,
      proof,
      password: loginHash,
      main_key: mainKey,
      ...(factor === 'lost' ? { second_factor_lost: true } : factor),
    });
    if (!('kdf_email' in data) || data.kdf_email !== email) throw new LoginRequiredError();
    await enterAs(data);
  } catch (error) {
    await lockKeys();
    throw error;
  }
}

/**
 * Deletes the account permanently, and all its data on this device. The caller then loads a fresh
 * page.
 */
export async function deleteAccount(password: string, proof: OwnProof): Promise<void> {
  await accountClient.delete_account({ password: await keys().hashPassword(password), ...proof });
  endWorkers();
  await lockKeys();
  await forgetEverything();
}
