/**
 * The recovery kit (docs/api-conventions.md; [Note: Recovery] in docs/crypto.md): the same keys wrapped by a phrase that the
 * server never sees, and a proof of it by which the owner gets back in without the password. A use ends every session and device.
 *
 * A kit is stored before its words are shown, so that words that were seen open the account whatever happens next. Until it
 * is confirmed it stands beside the confirmed one; then it takes the place of all others.
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

/** Compared with when there is no kit, so that the answer takes as long. */
const NOBODYS = randomBytes(32);

const rowOf = (kit: Kit, now: Date) => ({
  proofHash: hashProof(kit.proof),
  mainKeyJson: JSON.stringify(kit.main_key),
  now,
});

/** Stores the confirmed kit of an account whose keys these are. Throws keys_refused. */
export async function storeKit(trx: Trx, userId: string, own: MainKey, kit: Kit, now: Date): Promise<void> {
  requireSameKeys(own, kit.main_key);
  await saveKit(trx, userId, rowOf(kit, now));
}

/** Stores a kit whose words are about to be shown. Throws keys_refused, limit_reached. */
async function storeShown(trx: Trx, userId: string, own: MainKey, kit: Kit, now: Date): Promise<void> {
  requireSameKeys(own, kit.main_key);
  await saveShownKit(trx, userId, rowOf(kit, now));
  // Refused, not pushed out: the words of the oldest may be on somebody's paper.
  if ((await countShownKits(trx, userId)) > SHOWN_KITS_MAX) throw new AppError('limit_reached');
}

/**
 * Stores a kit in place of all others, or beside them until it is confirmed; answers when. Throws keys_refused,
 * limit_reached, and what requireOwner throws.
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
    // New keys may have come since the password was looked at: a kit of the old ones would open nothing.
    await lockUser(trx, own.userId);
    const secrets = await findSecrets(trx, own.userId);
    if (secrets === undefined) throw new AppError('not_logged_in');
    const store = input.confirmed ? storeKit : storeShown;
    await store(trx, own.userId, secrets.main_key, input.recovery, now);
  });
  return now;
}

/**
 * Makes a stored kit the only one; answers when it was made. Its proof is enough: who stored it gave password and second
 * factor. Throws recovery_refused.
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

/** Forgets all kits. Throws what requireOwner throws. */
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
 * The account that a kit was made for. Its keys are read once the proof is right: kilobytes that nobody's address has would show
 * in the time of a refusal. Throws recovery_refused.
 */
async function getAccount(deps: Deps, email: string, proof: string) {
  const proofHash = hashProof(proof);
  const rows = await findKitProofs(deps.db, normalizeAddress(email));
  const account = rows[0];
  const known = [account?.confirmed ?? NOBODYS, ...rows.map(({ shown }) => shown ?? NOBODYS)];
  let isRight = false;
  // As many comparisons whoever it is, and all of them.
  for (let at = 0; at <= SHOWN_KITS_MAX; at++)
    isRight = timingSafeEqual(proofHash, known[at] ?? NOBODYS) || isRight;
  if (account === undefined || !isRight) throw new AppError('recovery_refused');
  const kit = await findKit(deps.db, account.id, proofHash);
  if (kit === undefined) throw new AppError('recovery_refused');
  return { id: account.id, isSuspended: account.status === 'suspended', proofHash, ...kit };
}

/**
 * The keys as the phrase wraps them, whose they are, and which second factors are on. Throws recovery_refused,
 * account_suspended, without its reason where a second factor is on.
 */
export async function openKit(deps: Deps, email: string, proof: string) {
  const account = await getAccount(deps, email, proof);
  const factors = await findFactors(deps.db, account.id);
  if (account.isSuspended)
    throw factors.length > 0 ? new AppError('account_suspended') : await suspendedError(deps.db, account.id);
  return { userId: account.id, mainKey: account.kit_key, factors };
}

/** How the second factor is answered for beside a kit: by proof, or not at all, which turns it off. */
export type KitFactor = { readonly proof: Proof; readonly isLost: boolean; readonly tokenHash: Buffer };

/**
 * Sets a new password by the kit: same keys, wrapped anew; every session and device ends. `enter` logs the owner in, in
 * the same transaction. Whoever has the kit has the account (SECURITY.md), also without the second factor, if they say
 * that it is lost. Throws recovery_refused, account_suspended, keys_refused, and what a wrong proof is.
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
    // A suspension may have come since the kit was looked at: it ended all sessions, and none begins after it.
    const held = await lockUser(trx, account.id);
    if (held?.status === 'suspended') throw await suspendedError(trx, account.id);
    const isReplaced = await replaceSecrets(trx, account.id, account.login_hash, {
      loginHashStored,
      mainKeyJson: JSON.stringify(secrets.mainKey),
    });
    if (!isReplaced) throw new AppError('recovery_refused');
    // Whoever typed its words has kept them.
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
