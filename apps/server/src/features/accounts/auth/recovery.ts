/**
 * The recovery kit (docs/api-conventions.md; [Note: Recovery] in docs/crypto.md): the account's
 * keys wrapped by a phrase that the server never sees, and a proof of the phrase with which the
 * owner regains access without the password. Using a kit ends every session and device.
 *
 * A kit is stored before its words are shown, so that words the user has seen always open the
 * account. Until it is confirmed, it exists beside the confirmed kit; then it replaces all others.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { api, InputOf, MainKey } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { SHOWN_KITS_MAX } from '@keyfold/contract/limits';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { deviceWordsOf } from '../../../base/device-words.ts';
import type { Session } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { endReset } from '../memberships/index.ts';
import { storeNotice } from '../notices/index.ts';
import {
  findFactors,
  loseSecondFactor,
  type OwnerProof,
  type Proof,
  proverOf,
  requireSecondFactor,
} from '../second-factor/index.ts';
import { lockUser, replaceSecrets } from '../users/index.ts';
import { endOthers, findSecrets } from './access-store.ts';
import {
  countShownKits,
  deleteKits,
  deleteShownKits,
  findConfirmed,
  findKit,
  findKitProofs,
  hasConfirmed,
  promoteKit,
  saveKit,
  saveShownKit,
} from './kit-store.ts';
import { hashLogin } from './login-hash.ts';
import { requireOwner, requireSameKeys } from './password.ts';
import { type Place, suspendedError } from './sessions.ts';

type Kit = InputOf<typeof api.account.save_recovery>['recovery'];

const hashProof = (proofHex: string): Buffer =>
  createHash('sha256').update('recovery').update(Buffer.from(proofHex, 'hex')).digest();

/** Compared with if there is no kit, so that the response takes the same time. */
const NOBODYS = randomBytes(32);

const rowOf = (kit: Kit, now: Date) => ({
  proofHash: hashProof(kit.proof),
  mainKeyJson: JSON.stringify(kit.main_key),
  now,
});

/** Stores the confirmed kit of an account with these keys. Throws keys_refused. */
export async function storeKit(trx: Trx, userId: string, own: MainKey, kit: Kit, now: Date): Promise<void> {
  requireSameKeys(own, kit.main_key);
  await saveKit(trx, userId, rowOf(kit, now));
}

/** Stores a kit before its words are shown. Throws keys_refused, limit_reached. */
async function storeShown(trx: Trx, userId: string, own: MainKey, kit: Kit, now: Date): Promise<void> {
  requireSameKeys(own, kit.main_key);
  await saveShownKit(trx, userId, rowOf(kit, now));
  // Rejects the new kit rather than evicting the oldest, because the user may have written down the
  // oldest one's words.
  if ((await countShownKits(trx, userId)) > SHOWN_KITS_MAX) throw new AppError('limit_reached');
}

/**
 * Stores a kit, replacing all others or beside them until it is confirmed; returns the time. Throws
 * keys_refused, limit_reached, and what requireOwner throws.
 */
export async function saveRecovery(
  deps: Deps,
  own: Session,
  input: InputOf<typeof api.account.save_recovery>,
  place: Place,
): Promise<Date> {
  await requireOwner(deps, proverOf(own, place), input);
  const now = deps.clock.now();
  await deps.db.transaction().execute(async trx => {
    // The keys may have been replaced since the password was checked: a kit of the old keys would
    // open nothing.
    await lockUser(trx, own.userId);
    const secrets = await findSecrets(trx, own.userId);
    if (secrets === undefined) throw new AppError('not_logged_in');
    const store = input.confirmed ? storeKit : storeShown;
    await store(trx, own.userId, secrets.main_key, input.recovery, now);
  });
  return now;
}

/**
 * Makes a stored kit the only one; returns when it was created. Its proof is sufficient, because
 * storing it required the password and the second factor. Throws recovery_refused.
 */
export const confirmRecovery = (
  deps: Deps,
  own: Session,
  { proof }: InputOf<typeof api.account.confirm_recovery>,
): Promise<Date> =>
  deps.db.transaction().execute(async trx => {
    await lockUser(trx, own.userId);
    const proofHash = hashProof(proof);
    const at =
      (await promoteKit(trx, own.userId, proofHash)) ??
      (await findConfirmed(trx, own.userId, proofHash))?.created_at;
    if (at === undefined) throw new AppError('recovery_refused');
    await deleteShownKits(trx, own.userId);
    return at;
  });

/** Deletes all kits. Throws what requireOwner throws. */
export async function removeRecovery(
  deps: Deps,
  own: Session,
  proof: OwnerProof,
  place: Place,
): Promise<void> {
  await requireOwner(deps, proverOf(own, place), proof);
  await deps.db.transaction().execute(trx => deleteKits(trx, own.userId));
}

/**
 * Returns the account that a kit was created for. Its keys are read only after the proof has
 * matched: loading kilobytes that exist only for real accounts would show in the time of a refusal.
 * Throws recovery_refused.
 */
async function getAccount(deps: Deps, email: string, proof: string) {
  const proofHash = hashProof(proof);
  const rows = await findKitProofs(deps.db, normalizeAddress(email));
  const account = rows[0];
  const known = [account?.confirmed ?? NOBODYS, ...rows.map(({ shown }) => shown ?? NOBODYS)];
  let isRight = false;
  // Always makes the same number of comparisons, and never stops early.
  for (let at = 0; at <= SHOWN_KITS_MAX; at++)
    isRight = timingSafeEqual(proofHash, known[at] ?? NOBODYS) || isRight;
  if (account === undefined || !isRight) throw new AppError('recovery_refused');
  const kit = await findKit(deps.db, account.id, proofHash);
  if (kit === undefined) throw new AppError('recovery_refused');
  return { id: account.id, isSuspended: account.status === 'suspended', proofHash, ...kit };
}

/**
 * Returns the keys as wrapped by the phrase, their user, and the second factors that are on. Throws
 * recovery_refused, account_suspended; the latter omits its reason if a second factor is on.
 */
export async function openKit(deps: Deps, email: string, proof: string) {
  const account = await getAccount(deps, email, proof);
  const factors = await findFactors(deps.db, account.id);
  if (account.isSuspended)
    throw factors.length > 0 ? new AppError('account_suspended') : await suspendedError(deps.db, account.id);
  return { userId: account.id, mainKey: account.kit_key, factors };
}

/**
 * How the second factor is satisfied with a kit: by a proof, or by declaring it lost, which turns
 * it off.
 */
export type KitFactor = { readonly proof: Proof; readonly isLost: boolean; readonly tokenHash: Buffer };

/**
 * Sets a new password with the kit: the same keys, rewrapped; every session and device ends.
 * `enter` signs the owner in, in the same transaction. Possession of the kit gives full access to
 * the account (SECURITY.md), even without the second factor if it is declared lost. Throws
 * recovery_refused, account_suspended, keys_refused, and the errors for a wrong proof.
 */
export async function recover<T>(
  deps: Deps,
  input: { readonly email: string; readonly proof: string },
  secrets: { readonly loginHash: string; readonly mainKey: MainKey },
  factor: KitFactor,
  place: Place,
  enter: (trx: Trx, userId: string) => Promise<T>,
): Promise<{ readonly userId: string; readonly entered: T }> {
  const account = await getAccount(deps, input.email, input.proof);
  requireSameKeys(account.account_key, secrets.mainKey);
  const device = deviceWordsOf(place.userAgent);
  const prover = { userId: account.id, tokenHash: factor.tokenHash, device, ip: place.ip };
  if (!factor.isLost) await requireSecondFactor(deps, prover, factor.proof);
  const loginHashStored = await hashLogin(secrets.loginHash);
  const entered = await deps.db.transaction().execute(async trx => {
    // The account may have been suspended since the kit was checked: the suspension ended all
    // sessions, and no new one may begin.
    const held = await lockUser(trx, account.id);
    if (held?.status === 'suspended') throw await suspendedError(trx, account.id);
    const isReplaced = await replaceSecrets(trx, account.id, account.login_hash, {
      loginHashStored,
      mainKeyJson: JSON.stringify(secrets.mainKey),
    });
    if (!isReplaced) throw new AppError('recovery_refused');
    // A user who typed the words has kept them.
    if (!(await hasConfirmed(trx, account.id))) await promoteKit(trx, account.id, account.proofHash);
    await endOthers(trx, account.id, null, { why: 'password_changed', now: deps.clock.now() });
    await endReset(deps, trx, account.id);
    if (factor.isLost) await loseSecondFactor(deps, trx, prover);
    const result = await enter(trx, account.id);
    await storeNotice(deps, trx, account.id, { kind: 'recovery_used', device, ip: place.ip });
    return result;
  });
  return { userId: account.id, entered };
}
