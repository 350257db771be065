/**
 * Resets of members' passwords (docs/interpretations.md#76). Nobody here can open a member's keys, so a reset is a new beginning:
 * new keys under a new password, made in the browser of who follows the link. Mail from before stays, sealed for keys that are
 * gone. Until the link is used the old password and the recovery kit go on working; either keeps that mail.
 */
import type { api, InputOf, OutputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { deviceWordsOf } from '../../../base/device-words.ts';
import { RESET_LIFETIME_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { announceEnd, endAllSessions, type Place, startAnew } from '../../accounts/auth/index.ts';
import { createLinkSecret, hashLinkSecret, lockOrganization } from '../../accounts/memberships/index.ts';
import { storeNotice } from '../../accounts/notices/index.ts';
import { forgetSegments } from '../../accounts/search/index.ts';
import { lockUser } from '../../accounts/users/index.ts';
import { discardContainer, lockMailboxes } from '../../mailbox/messages/index.ts';
import { tellReset, writeLog } from './log.ts';
import { findFellow } from './members.ts';
import { lockRight, requireStrictlyAbove } from './rights.ts';
import { deleteReset, findQuiet, findReset, forgetSealed, saveReset } from './store.ts';

/** The page of the web client that follows the link; a fragment is sent to no server. */
const linkTo = (publicUrl: string, secret: string): string => `${publicUrl}/app/reset#reset=${secret}`;

/** Ends a member's sessions and makes the link. Throws not_found, forbidden. */
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
    // One's own password is changed with the old one, which loses nothing.
    if (fellow.userId === userId) throw new AppError('forbidden');
    requireStrictlyAbove(own.role, fellow.role);
    const held = await lockUser(trx, fellow.userId);
    // Who runs the service is not an organisation's to open: the console would be its prize.
    if (held?.is_admin !== false) throw new AppError('forbidden');
    // Another link by the same person, as long as the first would have lasted, is for the log alone: all have heard of it. Of
    // anybody else's, or of one that is pushed on for ever, they have not.
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

/** Whose password a link resets. Throws reset_refused. */
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
 * Uses a link up: new password, new keys; what was sealed under the old ones and is no mail goes. A second factor stays on.
 * Throws reset_refused, keys_refused.
 */
export async function finishReset(
  deps: Deps,
  input: InputOf<typeof api.joining.set_password>,
  place: Place,
): Promise<void> {
  const tokenHash = hashLinkSecret('reset', input.reset);
  if ((await findReset(deps.db, tokenHash, deps.clock.now())) === undefined)
    throw new AppError('reset_refused');
  const replace = await startAnew(input.password, input.main_key);
  const { userId, segments } = await deps.db.transaction().execute(async trx => {
    const before = await findReset(trx, tokenHash, deps.clock.now());
    if (before === undefined) throw new AppError('reset_refused');
    await lockOrganization(trx, before.organization_id);
    const held = await lockUser(trx, before.user_id);
    // Who became an admin of the service since the link was made is not an organisation's to open any more.
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
