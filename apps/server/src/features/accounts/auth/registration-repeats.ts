/**
 * Repeats a registration whose response was lost: the address is already taken, by the same user.
 * Proof is a match of the keys, which are never generated twice, and of the login hash. The account
 * must be minutes old and the first response unused: once its session was used, or ended, there is
 * nothing to repeat.
 *
 * An attacker who has that request has the login hash and could sign in. But the owner is notified
 * of a sign-in and not of a repeat, which removes the earlier browser and makes the new one the
 * first. A repeat must therefore not give an attacker access beside the owner's.
 */
import { isDeepStrictEqual } from 'node:util';
import type { api, InputOf } from '@keyfold/contract';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { REGISTRATION_REPEAT_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { findFactors } from '../second-factor/index.ts';
import { lockUser } from '../users/index.ts';
import { deleteBrowsers, endAllSessions } from './access-store.ts';
import { type LoggedIn, type Visitor, welcome } from './complete-login.ts';
import { isLoginHash } from './login-hash.ts';
import { announceEnd } from './sessions.ts';
import { findMade, readUses } from './store.ts';
import { normalizeUsername } from './usernames.ts';

/**
 * Starts a new session for a completed registration; returns null if none of the last few minutes
 * matches.
 */
export async function enterRegistered(
  deps: Deps,
  input: InputOf<typeof api.sign_up.register>,
  visitor: Visitor,
): Promise<LoggedIn | null> {
  const now = deps.clock.now();
  const kdfEmail = normalizeAddress(`${normalizeUsername(input.username)}@${input.domain}`);
  const made = await findMade(deps.db, kdfEmail, new Date(now.getTime() - REGISTRATION_REPEAT_MS));
  if (made === undefined) return null;
  if (!isDeepStrictEqual(made.main_key, input.main_key)) return null;
  if (!(await isLoginHash(input.password, made.login_hash))) return null;
  const { id: userId } = made;
  const entered = await deps.db.transaction().execute(async trx => {
    const held = await lockUser(trx, userId);
    if (held?.login_hash !== made.login_hash || held.status !== 'active') return null;
    // A user who has set up a second factor did receive the first response.
    if ((await findFactors(trx, userId)).length > 0) return null;
    const uses = await readUses(trx, userId);
    if (uses.length === 0 || uses.some(({ is_used }) => is_used === true)) return null;
    await endAllSessions(trx, userId, { why: 'signed_out', now });
    await deleteBrowsers(trx, userId);
    const keepSignedIn = input.keep_signed_in ?? false;
    return welcome(deps, trx, { userId, kdfEmail, keepSignedIn, outcome: 'signed_in', now }, visitor);
  });
  if (entered !== null) announceEnd(deps.db, userId);
  return entered;
}
