/**
 * The recovery kit (api.md; [Note: Recovery] in docs/crypto.md): the same keys wrapped by a phrase that the server never
 * sees, and a proof of it by which the owner gets back in without the password. A use ends every session and device.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { api, InputOf, MainKey } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { normaliseAddress } from '@keyfold/mail/addresses';
import type { Trx } from '../../db/pool.ts';
import type { Deps } from '../../deps.ts';
import { storeNotice } from '../notices/service.ts';
import { deleteKit, deleteOthers, findKit, replaceSecrets, saveKit } from './access-store.ts';
import { deviceWordsOf } from './device-words.ts';
import { hashLogin } from './login-hash.ts';
import { requirePassword, requireSameKeys } from './password.ts';
import type { Place, Session } from './sessions.ts';

type Kit = InputOf<typeof api.account.save_recovery>['recovery'];

const hashProof = (proofHex: string): Buffer =>
  createHash('sha256').update('recovery').update(Buffer.from(proofHex, 'hex')).digest();

/** Compared with when there is no kit, so that the answer takes as long. */
const NOBODYS = randomBytes(32);

/** Stores the kit of an account whose keys these are. Throws keys_refused. */
export const storeKit = async (
  trx: Trx,
  userId: string,
  own: MainKey,
  kit: Kit,
  now: Date,
): Promise<void> => {
  requireSameKeys(own, kit.main_key);
  await saveKit(trx, userId, {
    proofHash: hashProof(kit.proof),
    mainKeyJson: JSON.stringify(kit.main_key),
    now,
  });
};

/** Stores a kit in place of an older one; answers when. Throws password_wrong, keys_refused. */
export const saveRecovery = async (
  deps: Deps,
  own: Session,
  input: InputOf<typeof api.account.save_recovery>,
): Promise<Date> => {
  const { main_key } = await requirePassword(deps.db, own.userId, input.password);
  const now = deps.clock.now();
  await deps.db.transaction().execute(trx => storeKit(trx, own.userId, main_key, input.recovery, now));
  return now;
};

/** Forgets the kit. Throws password_wrong. */
export const removeRecovery = async (deps: Deps, own: Session, loginHash: string): Promise<void> => {
  await requirePassword(deps.db, own.userId, loginHash);
  await deleteKit(deps.db, own.userId);
};

/** The account that a kit was made for. Throws recovery_refused, account_suspended. */
const getAccount = async (deps: Deps, email: string, proof: string) => {
  const account = await findKit(deps.db, normaliseAddress(email));
  const isRight = timingSafeEqual(hashProof(proof), account?.proof_hash ?? NOBODYS);
  if (account === undefined || !isRight) throw new AppError('recovery_refused');
  if (account.status === 'suspended') throw new AppError('account_suspended');
  return account;
};

/** The keys as the phrase wraps them. Throws recovery_refused, account_suspended. */
export const openKit = async (deps: Deps, email: string, proof: string): Promise<MainKey> =>
  (await getAccount(deps, email, proof)).kit_key;

/**
 * Sets a new password by the kit: same keys, wrapped anew; every session and device ends. `enter` logs the owner in, in
 * the same transaction. Throws recovery_refused, account_suspended, keys_refused.
 */
export const recover = async <T>(
  deps: Deps,
  input: { readonly email: string; readonly proof: string },
  secrets: { readonly loginHash: string; readonly mainKey: MainKey },
  place: Place,
  enter: (trx: Trx, userId: string) => Promise<T>,
): Promise<{ readonly userId: string; readonly entered: T }> => {
  const account = await getAccount(deps, input.email, input.proof);
  requireSameKeys(account.account_key, secrets.mainKey);
  const loginHashStored = await hashLogin(secrets.loginHash);
  const entered = await deps.db.transaction().execute(async trx => {
    const isReplaced = await replaceSecrets(trx, account.id, account.login_hash, {
      loginHashStored,
      mainKeyJson: JSON.stringify(secrets.mainKey),
    });
    if (!isReplaced) throw new AppError('recovery_refused');
    await deleteOthers(trx, account.id, null);
    const result = await enter(trx, account.id);
    await storeNotice(deps, trx, account.id, {
      kind: 'recovery_used',
      device: deviceWordsOf(place.userAgent),
      ip: place.ip,
    });
    return result;
  });
  return { userId: account.id, entered };
};
