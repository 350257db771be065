/**
 * Management of a user's own second factors: an authenticator app, passkeys and security keys, and
 * the recovery codes, which are created with the first factor and removed with the last
 * (docs/spec-map.md 4.28, docs/interpretations.md#86). While one is enabled, every change requires
 * proof of it. The owner is notified of each change.
 */

import { randomUUIDv7 } from 'node:crypto';
import type { api, InputOf, OwnPasskey, SecondFactorStatus } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { PASSKEYS_MAX, SHOWN_CODE_SETS_MAX } from '@keyfold/contract/limits';
import { PASSKEY_CHALLENGE_LIFETIME_MS, TOTP_PENDING_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { isDuplicate, type Trx } from '../../../db/pool.ts';
import { type NoticeFacts, type PlacedNotice, storeNotice } from '../notices/index.ts';
import { lockUser } from '../users/index.ts';
import {
  addShownCodes,
  confirmCodes,
  countShownSets,
  deleteRecoveryCodes,
  replaceRecoveryCodes,
} from './code-store.ts';
import { hashOfCode, makeCodes } from './recovery-codes.ts';
import { findFactors, type OwnerCheck, type Prover, requireSecondFactor } from './service.ts';
import {
  activatePending,
  deletePasskey,
  deleteTotp,
  findAccount,
  findState,
  insertPasskey,
  listPasskeys,
  lockTotp,
  type PasskeyRow,
  renamePasskey,
  saveChallenge,
  savePending,
  takeChallenge,
} from './store.ts';
import { findStep, makeSecret, openSecret, sealSecret, showSecret } from './totp.ts';
import { askForNewKey, hasPasskeys, readNewKey } from './webauthn.ts';

type Kind = PlacedNotice['kind'];

const PASSKEY_NAME = 'passkey name';
const nameContext = (userId: string, id: string): string => `${userId} ${id}`;

const toOwnPasskey = ({ masterKey }: Pick<Deps, 'masterKey'>, row: PasskeyRow): OwnPasskey => ({
  id: row.id,
  name: masterKey.open(PASSKEY_NAME, nameContext(row.user_id, row.id), row.name_sealed).toString('utf8'),
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  is_synced: row.is_synced,
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns which factors are enabled, and how many recovery codes are left. */
export async function readStatus(deps: Deps, userId: string): Promise<SecondFactorStatus> {
  const { totp_since, codes_left, codes_unconfirmed } = await findState(deps.db, userId);
  const rows = await listPasskeys(deps.db, userId);
  return {
    totp_active: totp_since !== null,
    totp_since: totp_since?.toISOString() ?? null,
    passkeys: rows.map(row => toOwnPasskey(deps, row)),
    has_passkeys: hasPasskeys(deps.config),
    recovery_codes_left: codes_left,
    recovery_codes_confirmed: !codes_unconfirmed,
  };
}

/**
 * Runs a change under the account's lock, so that the first and the last factor are detected
 * reliably. Throws not_logged_in.
 */
const changing = <T>(deps: Deps, userId: string, work: (trx: Trx) => Promise<T>): Promise<T> =>
  deps.db.transaction().execute(async trx => {
    if ((await lockUser(trx, userId)) === undefined) throw new AppError('not_logged_in');
    return work(trx);
  });

const tell = (
  deps: Deps,
  trx: Trx,
  { userId, device, ip }: Prover,
  kind: Kind,
  facts: NoticeFacts = {},
): Promise<void> => storeNotice(deps, trx, userId, { kind, device, ip, facts });

/**
 * Creates ten codes that replace the old ones, or exist alongside them until confirmed: if the
 * response is lost, the old codes still work. Throws limit_reached.
 */
async function makeNewCodes(
  { masterKey }: Deps,
  trx: Trx,
  userId: string,
  isConfirmed: boolean,
): Promise<string[]> {
  const codes = makeCodes();
  const hashes = codes.map(code => hashOfCode(masterKey, userId, code));
  if (isConfirmed) await replaceRecoveryCodes(trx, userId, hashes);
  else await addShownCodes(trx, userId, hashes, randomUUIDv7());
  // Refused instead of evicting the oldest set, which the user may have printed.
  if ((await countShownSets(trx, userId)) > SHOWN_CODE_SETS_MAX) throw new AppError('limit_reached');
  return codes;
}

/**
 * Completes the addition of a factor: creates recovery codes with the first one, and notifies the
 * owner.
 */
async function settleAdded(
  deps: Deps,
  trx: Trx,
  prover: Prover,
  wasOn: boolean,
  kind: Kind,
  facts: NoticeFacts = {},
): Promise<string[]> {
  await tell(deps, trx, prover, wasOn ? kind : 'second_factor_on', facts);
  return wasOn ? [] : makeNewCodes(deps, trx, prover.userId, false);
}

/** Completes the removal of a factor: with the last one the recovery codes are deleted too. */
async function settleRemoved(
  deps: Deps,
  trx: Trx,
  prover: Prover,
  kind: Kind,
  facts: NoticeFacts = {},
): Promise<void> {
  const isOn = (await findFactors(trx, prover.userId)).length > 0;
  if (!isOn) await deleteRecoveryCodes(trx, prover.userId);
  await tell(deps, trx, prover, isOn ? kind : 'second_factor_off', facts);
}

/**
 * Returns an authenticator app secret that awaits its first code. Returns the same secret while it
 * is pending, so that a page loaded twice never shows an invalid one. Throws totp_on.
 */
export async function generate(deps: Deps, userId: string) {
  const { clock, masterKey } = deps;
  const now = clock.now();
  const until = new Date(now.getTime() + TOTP_PENDING_MS);
  return changing(deps, userId, async trx => {
    const row = await lockTotp(trx, userId);
    if (row !== undefined && row.secret_sealed !== null) throw new AppError('totp_on');
    const isWaiting = row?.pending_sealed != null && row.pending_until !== null && row.pending_until > now;
    const sealed =
      isWaiting && row?.pending_sealed != null
        ? row.pending_sealed
        : sealSecret(masterKey, userId, makeSecret());
    await savePending(trx, userId, sealed, until);
    const secret = openSecret(masterKey, userId, sealed);
    const shown = showSecret(secret, (await findAccount(trx, userId))?.kdf_email ?? '');
    secret.fill(0);
    return { ...shown, expires_at: until.toISOString() };
  });
}

/**
 * Enables the authenticator app with its first code, which consumes the code. Returns recovery
 * codes when this is the first factor. Throws totp_on, setup_expired, code_wrong, and the errors of
 * a wrong proof of another factor.
 */
export async function activate(
  deps: Deps,
  prover: Prover,
  input: InputOf<typeof api.otp.initial>,
): Promise<string[]> {
  if ((await findState(deps.db, prover.userId)).totp_since !== null) throw new AppError('totp_on');
  await requireSecondFactor(deps, prover, { code: input.totp_code, passkey: input.passkey });
  const { clock, masterKey } = deps;
  const { userId } = prover;
  const now = clock.now();
  return changing(deps, userId, async trx => {
    const row = await lockTotp(trx, userId);
    if (row !== undefined && row.secret_sealed !== null) throw new AppError('totp_on');
    if (row?.pending_sealed == null || row.pending_until === null || row.pending_until <= now)
      throw new AppError('setup_expired');
    const secret = openSecret(masterKey, userId, row.pending_sealed);
    const step = findStep(secret, input.code, now);
    secret.fill(0);
    if (step === null) throw new AppError('code_wrong');
    const wasOn = (await findFactors(trx, userId)).length > 0;
    await activatePending(trx, userId, step, now);
    return settleAdded(deps, trx, prover, wasOn, 'authenticator_on');
  });
}

/**
 * Disables the authenticator app. Throws second_factor_off when none is enabled, and the errors of
 * a wrong proof.
 */
export async function disable(
  deps: Deps,
  prover: Prover,
  { code, passkey }: InputOf<typeof api.otp.disable>,
): Promise<void> {
  const { totp_since } = await findState(deps.db, prover.userId);
  if (totp_since === null) throw new AppError('second_factor_off');
  await requireSecondFactor(deps, prover, { code, passkey });
  await changing(deps, prover.userId, async trx => {
    await deleteTotp(trx, prover.userId);
    await settleRemoved(deps, trx, prover, 'authenticator_off');
  });
}

/**
 * Creates ten recovery codes that replace the old ones, or exist alongside them until confirmed.
 * Throws second_factor_off, limit_reached, and the errors of requireOwner.
 */
export async function renewCodes(
  deps: Deps & OwnerCheck,
  prover: Prover,
  input: InputOf<typeof api.second_factor.renew_codes>,
): Promise<string[]> {
  if ((await findFactors(deps.db, prover.userId)).length === 0) throw new AppError('second_factor_off');
  await deps.requireOwner(deps, prover, input);
  return changing(deps, prover.userId, async trx => {
    if ((await findFactors(trx, prover.userId)).length === 0) throw new AppError('second_factor_off');
    await tell(deps, trx, prover, 'recovery_codes_renewed');
    return makeNewCodes(deps, trx, prover.userId, input.confirmed);
  });
}

/**
 * Makes the set that a code belongs to the only one. The code proves that the user has seen its
 * set. Throws code_wrong.
 */
export const confirmOwnCodes = (deps: Deps, userId: string, code: string): Promise<void> =>
  changing(deps, userId, async trx => {
    if (!(await confirmCodes(trx, userId, hashOfCode(deps.masterKey, userId, code))))
      throw new AppError('code_wrong');
  });

/**
 * Returns the options with which the browser creates a key, valid for this session only. Throws
 * passkeys_refused, limit_reached, and the errors of requireOwner.
 */
export async function beginPasskey(
  deps: Deps & OwnerCheck,
  prover: Prover,
  input: InputOf<typeof api.second_factor.begin_passkey>,
) {
  const { clock, config, db, masterKey } = deps;
  const { userId, tokenHash } = prover;
  if (config.relyingParty === null) throw new AppError('passkeys_refused');
  const known = await listPasskeys(db, userId);
  if (known.length >= PASSKEYS_MAX) throw new AppError('limit_reached');
  await deps.requireOwner(deps, prover, input);
  const account = await findAccount(db, userId);
  if (account === undefined) throw new AppError('not_logged_in');
  // Authenticators may store the handle indefinitely, so it must not reveal its owner.
  const handle = masterKey.digest('passkey owner', userId);
  const owner = { address: account.kdf_email, name: account.name, handle };
  const options = await askForNewKey(config.relyingParty, owner, known);
  const until = new Date(clock.now().getTime() + PASSKEY_CHALLENGE_LIFETIME_MS);
  const asked = { user_id: userId, token_hash: tokenHash, purpose: 'add' } as const;
  await saveChallenge(db, asked, options.challenge, until);
  return options;
}

/**
 * Adds a key that the browser created for this session's challenge. Returns recovery codes when
 * this is the first factor. Throws setup_expired, passkey_wrong, passkey_known, limit_reached.
 */
export async function addPasskey(
  deps: Deps,
  prover: Prover,
  { name, credential }: InputOf<typeof api.second_factor.add_passkey>,
): Promise<{ readonly passkey: OwnPasskey; readonly recovery_codes: string[] }> {
  const { clock, config, masterKey } = deps;
  const { userId, tokenHash } = prover;
  const { relyingParty } = config;
  if (relyingParty === null) throw new AppError('passkeys_refused');
  const now = clock.now();
  // A challenge is single-use, even for an invalid response: it is deleted before the response is
  // verified.
  const asked = { user_id: userId, token_hash: tokenHash, purpose: 'add' } as const;
  const challenge = await deps.db.transaction().execute(trx => takeChallenge(trx, asked, now));
  if (challenge === null) throw new AppError('setup_expired');
  const key = await readNewKey(relyingParty, challenge, credential);
  if (key === null) throw new AppError('passkey_wrong');
  const id = randomUUIDv7();
  const row: PasskeyRow = {
    ...key,
    transports: [...key.transports],
    user_id: userId,
    id,
    name_sealed: masterKey.seal(PASSKEY_NAME, nameContext(userId, id), Buffer.from(name)),
    created_at: now,
    last_used_at: null,
  };
  try {
    return await changing(deps, userId, async trx => {
      const { passkeys } = await findState(trx, userId);
      if (passkeys >= PASSKEYS_MAX) throw new AppError('limit_reached');
      const wasOn = (await findFactors(trx, userId)).length > 0;
      await insertPasskey(trx, row);
      const recovery_codes = await settleAdded(deps, trx, prover, wasOn, 'passkey_added', {
        passkey: name,
      });
      return { passkey: toOwnPasskey(deps, row), recovery_codes };
    });
  } catch (cause) {
    if (isDuplicate(cause)) throw new AppError('passkey_known', { cause });
    throw cause;
  }
}

/** Renames a key. Throws not_found. */
export async function nameOwnPasskey(deps: Deps, userId: string, id: string, name: string): Promise<void> {
  const sealed = deps.masterKey.seal(PASSKEY_NAME, nameContext(userId, id), Buffer.from(name));
  if (!UUID.test(id) || !(await renamePasskey(deps.db, userId, id, sealed))) throw new AppError('not_found');
}

/** Removes a key. Throws not_found, and the errors of a wrong proof. */
export async function removeOwnPasskey(
  deps: Deps,
  prover: Prover,
  { id, totp_code: code, passkey }: InputOf<typeof api.second_factor.remove_passkey>,
): Promise<void> {
  const keys = await listPasskeys(deps.db, prover.userId);
  const key = keys.find(one => one.id === id);
  if (key === undefined) throw new AppError('not_found');
  await requireSecondFactor(deps, prover, { code, passkey });
  await changing(deps, prover.userId, async trx => {
    if (!(await deletePasskey(trx, prover.userId, id))) throw new AppError('not_found');
    await settleRemoved(deps, trx, prover, 'passkey_removed', { passkey: toOwnPasskey(deps, key).name });
  });
}
