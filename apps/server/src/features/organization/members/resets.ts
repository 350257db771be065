/**
 * Password resets for members (docs/interpretations.md#76). The server cannot open a member's keys,
 * so a reset starts over: new keys under a new password, created in the browser of the user who
 * follows the link. Older mail remains, but is sealed for keys that no longer exist. Until the link
 * is used, the old password and the recovery kit keep working, and using either one preserves that
 * mail.
 */
import type { api, InputOf, OutputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { deviceWordsOf } from '../../../base/device-words.ts';
import { RESET_LIFETIME_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { announceEnd, endAllSessions, type Place, prepareReset } from '../../accounts/auth/index.ts';
import { createLinkSecret, hashLinkSecret, lockOrganization } from '../../accounts/memberships/index.ts';
import { storeNotice } from '../../accounts/notices/index.ts';
import { forgetSegments } from '../../accounts/search/index.ts';
import { lockUser } from '../../accounts/users/index.ts';
import { discardContainer, lockMailboxes } from '../../mailbox/messages/index.ts';
import { tellReset, writeLog } from './log.ts';
import { findFellow } from './members.ts';
import { lockRight, requireStrictlyAbove } from './rights.ts';
import { deleteReset, findQuiet, findReset, forgetSealed, saveReset } from './store.ts';

/** Web client page for the link. The fragment is never sent to a server. */
const linkTo = (publicUrl: string, secret: string): string => `${publicUrl}/app/reset#reset=${secret}`;

/** Ends a member's sessions and creates the link. Throws not_found, forbidden. */
export async function beginReset(
  deps: Deps,
  userId: string,
  given: string,
): Promise<{ reset: string; expires_at: string }> {
  const secret = createLinkSecret();
  const expiresAt = new Date(deps.clock.now().getTime() + RESET_LIFETIME_MS);
  const memberId = await deps.db.transaction().execute(async trx => {
    const own = await lockRight(trx, userId, 'reset_password');
    const fellow = await findFellow(trx, own, given);
    if (fellow === null) throw new AppError('not_found');
    // Callers change their own password with the old one, which loses nothing.
    if (fellow.userId === userId) throw new AppError('forbidden');
    requireStrictlyAbove(own.role, fellow.role);
    const held = await lockUser(trx, fellow.userId);
    // An organization must not reset an admin of the service, because that would give it access to
    // the admin console.
    if (held?.is_admin !== false) throw new AppError('forbidden');
    // A repeated reset by the same person, within the lifetime of the first link, is only logged:
    // everyone has already been notified. A reset by another person, or one that is extended over
    // and over, sends notices again.
    const quietUntil = await findQuiet(trx, fellow.userId, userId, deps.clock.now());
    await saveReset(trx, {
      user_id: fellow.userId,
      organization_id: own.organizationId,
      token_hash: hashLinkSecret('reset', secret),
      expires_at: expiresAt,
      begun_by: userId,
      quiet_until: quietUntil ?? expiresAt,
    });
    await endAllSessions(trx, fellow.userId, { why: 'reset_begun', now: deps.clock.now() });
    await writeLog(deps, trx, userId, own, { action: 'begin_reset', subjectId: fellow.userId });
    if (quietUntil === null) await tellReset(deps, trx, own, userId, fellow.userId);
    return fellow.userId;
  });
  announceEnd(deps.db, memberId);
  return { reset: linkTo(deps.config.publicUrl, secret), expires_at: expiresAt.toISOString() };
}

/** Returns the account whose password a link resets. Throws reset_refused. */
export async function lookAtReset(
  { db, clock }: Deps,
  secret: string,
): Promise<OutputOf<typeof api.joining.reset>['data']> {
  const found = await findReset(db, hashLinkSecret('reset', secret), clock.now());
  if (found === undefined) throw new AppError('reset_refused');
  const { organization, email, kdf_email, expires_at } = found;
  return { organization, email, kdf_email, expires_at: expires_at.toISOString() };
}

/**
 * Uses the link: sets a new password and new keys, and deletes everything except mail that was
 * sealed under the old keys. Two-factor authentication stays on. Throws reset_refused,
 * keys_refused.
 */
export async function finishReset(
  deps: Deps,
  input: InputOf<typeof api.joining.set_password>,
  place: Place,
): Promise<void> {
  const tokenHash = hashLinkSecret('reset', input.reset);
  if ((await findReset(deps.db, tokenHash, deps.clock.now())) === undefined)
    throw new AppError('reset_refused');
  const replace = await prepareReset(input.password, input.main_key);
  const { userId, segments } = await deps.db.transaction().execute(async trx => {
    const before = await findReset(trx, tokenHash, deps.clock.now());
    if (before === undefined) throw new AppError('reset_refused');
    await lockOrganization(trx, before.organization_id);
    const held = await lockUser(trx, before.user_id);
    // An organization must not reset a user who became an admin of the service after the link was
    // created.
    if (held?.is_admin !== false) throw new AppError('reset_refused');
    if (!(await deleteReset(trx, tokenHash))) throw new AppError('reset_refused');
    await replace(trx, before.user_id, deps.clock.now());
    await lockMailboxes(trx, [before.user_id]);
    await forgetSealed(trx, before.user_id);
    const gone = await forgetSegments(trx, before.user_id);
    const { organization_id: organizationId, user_id: subjectId } = before;
    await writeLog(deps, trx, subjectId, { organizationId }, { action: 'use_reset', subjectId });
    await storeNotice(deps, trx, before.user_id, {
      kind: 'reset_used',
      device: deviceWordsOf(place.userAgent),
      ip: place.ip,
    });
    return { userId: before.user_id, segments: gone };
  });
  announceEnd(deps.db, userId);
  for (const id of segments) await discardContainer(deps, id);
}
