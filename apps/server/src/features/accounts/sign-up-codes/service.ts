/**
 * Sign-up policy: which domains accept new accounts, whether an invitation is required, and what a
 * given code grants (docs/interpretations.md#38). The form has one field for codes, so a text can
 * be either kind.
 */
import { createHash, randomInt, randomUUIDv7 } from 'node:crypto';
import { AppError } from '@keyfold/contract/errors';
import {
  AFFILIATE_CODE_MAX_CHARACTERS,
  CODE_NOTE_MAX_CHARACTERS,
  INVITATION_CODE_CHARACTERS,
  SIGNUP_CODES_MAX,
} from '@keyfold/contract/limits';
import type { Config } from '../../../config/config.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { type AuditActor, writeAudit } from '../../support/audit/index.ts';
import {
  countSignup,
  deleteAffiliate,
  deleteInvitation,
  hasOpenInvitation,
  insertAffiliate,
  insertInvitation,
  listAffiliates,
  listInvitations,
  spendInvitation,
} from './store.ts';

const DAY_MS = 86_400_000;

/** Returns the domains open to sign-up. */
export const signupDomainsOf = ({ domains, signupDomains }: Config): readonly string[] =>
  signupDomains ?? domains;

/**
 * Requires an invitation with a use left, without consuming it: an early check before the expensive
 * work. Throws invitation_needed, invitation_refused.
 */
export async function requireInvitation(db: Db, code: string | undefined, now: Date): Promise<void> {
  if (!code) throw new AppError('invitation_needed');
  if (!(await hasOpenInvitation(db, hashOfInvitation(code), now))) throw new AppError('invitation_refused');
}

/** Sign-up data of a new account. */
export type Newcomer = {
  readonly code: string | undefined;
  readonly isInvitationNeeded: boolean;
  readonly now: Date;
};

/**
 * Consumes or counts the code of a new account in the transaction that creates it, so that a failed
 * sign-up costs nothing. Returns the affiliate's code to store with the account, or null. An
 * unknown affiliate code is ignored, and an invitation code is not stored. Throws
 * invitation_needed, invitation_refused.
 */
export async function redeemCode(
  trx: Trx,
  { code, isInvitationNeeded, now }: Newcomer,
): Promise<string | null> {
  if (isInvitationNeeded) {
    if (!code) throw new AppError('invitation_needed');
    if (!(await spendInvitation(trx, hashOfInvitation(code), now))) throw new AppError('invitation_refused');
    return null;
  }
  return code && (await countSignup(trx, code)) ? code : null;
}

type Place = Pick<Deps, 'clock' | 'db'>;

/**
 * Creates an invitation for `uses` accounts; without days it never expires. The code exists only in
 * the returned value.
 */
export const createInvitation = (
  { db, clock }: Place,
  actor: AuditActor,
  wish: { readonly uses: number; readonly days: number | undefined; readonly note: string },
): Promise<{ readonly id: string; readonly code: string; readonly expiresAt: Date | null }> =>
  db.transaction().execute(async trx => {
    const { code, hint } = makeInvitationCode();
    const id = randomUUIDv7();
    const at = clock.now();
    const expiresAt = wish.days === undefined ? null : new Date(at.getTime() + wish.days * DAY_MS);
    await insertInvitation(trx, {
      id,
      code_hash: hashOfInvitation(code),
      hint,
      note: wish.note,
      uses_allowed: wish.uses,
      uses_left: wish.uses,
      expires_at: expiresAt,
      created_at: at,
    });
    await writeAudit(trx, { actor, action: 'create_invitation', object: id, at });
    return { id, code, expiresAt };
  });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Deletes an invitation. Throws not_found. */
export const removeInvitation = ({ db, clock }: Place, actor: AuditActor, id: string): Promise<void> =>
  db.transaction().execute(async trx => {
    if (!UUID.test(id) || !(await deleteInvitation(trx, id))) throw new AppError('not_found');
    await writeAudit(trx, { actor, action: 'remove_invitation', object: id, at: clock.now() });
  });

export const findInvitations = (db: Db) => listInvitations(db, SIGNUP_CODES_MAX);

/**
 * Creates an affiliate code chosen by the operator: opaque text on one line. Throws malformed,
 * code_taken.
 */
export function createAffiliate(
  { db, clock }: Place,
  actor: AuditActor,
  code: string,
  note: string,
): Promise<void> {
  const isOneLine = /^\P{Cc}+$/u.test(code) && code === code.trim() && /^\P{Cc}*$/u.test(note);
  if (!isOneLine || code.length > AFFILIATE_CODE_MAX_CHARACTERS || note.length > CODE_NOTE_MAX_CHARACTERS)
    return Promise.reject(new AppError('malformed'));
  return db.transaction().execute(async trx => {
    if (!(await insertAffiliate(trx, code, note))) throw new AppError('code_taken');
    await writeAudit(trx, { actor, action: 'create_affiliate', object: code, at: clock.now() });
  });
}

/** Deletes an affiliate's code; sign-ups with it are no longer counted. Throws not_found. */
export const removeAffiliate = ({ db, clock }: Place, actor: AuditActor, code: string): Promise<void> =>
  db.transaction().execute(async trx => {
    if (!(await deleteAffiliate(trx, code))) throw new AppError('not_found');
    await writeAudit(trx, { actor, action: 'remove_affiliate', object: code, at: clock.now() });
  });

export const findAffiliates = (db: Db) => listAffiliates(db, SIGNUP_CODES_MAX);

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUP = /.{4}(?=.)/g;

/**
 * Returns a new code, such as 7K2M-…, of 80 random bits in Crockford's base 32 alphabet; its first
 * group is its hint. Only hashes are stored, so read access to the database yields no usable code.
 */
function makeInvitationCode(): { readonly code: string; readonly hint: string } {
  const letters = Array.from({ length: INVITATION_CODE_CHARACTERS }, () => ALPHABET[randomInt(32)]).join('');
  return { code: letters.replace(GROUP, '$&-'), hint: letters.slice(0, 4) };
}

/**
 * Returns the stored hash of a code, independent of the case and separators in which it was typed.
 */
const hashOfInvitation = (code: string): Buffer =>
  createHash('sha256')
    .update(
      code
        .toUpperCase()
        .replaceAll('O', '0')
        .replace(/[IL]/g, '1')
        .replace(/[^0-9A-Z]/g, ''),
    )
    .digest();
