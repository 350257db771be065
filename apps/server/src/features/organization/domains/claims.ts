/**
 * Applies the result of a DNS check to a domain claim. A domain belongs to the user whose claim was
 * proved; an unproved claim blocks no other user. A proved claim persists even while its record is
 * missing. Another user can take the domain over only by proving it, and only after the record has
 * been missing for days (ADR: domains that users bring along).
 */
import { AppError } from '@keyfold/contract/errors';
import {
  DOMAIN_CHECK_HEALTHY_MS,
  DOMAIN_CHECK_UNHEALTHY_MS,
  DOMAIN_CHECK_UNPROVED_MS,
  DOMAIN_CLAIM_FRESH_MS,
  DOMAIN_LOOK_TIMEOUT_MS,
  DOMAIN_LOST_AFTER_MS,
} from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { findConnector, lockMembersAt } from '../../accounts/memberships/index.ts';
import { lockMailboxes } from '../../mailbox/messages/index.ts';
import { keysOfDomain, noteSeenKeys } from '../../outbound/delivery/index.ts';
import { disconnectDomain, loseAddressesAt } from '../addresses/index.ts';
import { type Findings, lookAt, readFindings } from './findings.ts';
import { type Expected, expectedRecords } from './records.ts';
import { type ClaimRow, findHolder, lockClaims, updateClaim } from './store.ts';

/** Returns whether all required records exist. One of several signing keys is enough. */
function isComplete(expected: readonly Expected[], findings: Findings): boolean {
  const isOk = ({ key }: Expected) => findings[key]?.ok === true;
  const needed = expected.filter(one => one.is_required);
  return (
    needed.filter(one => one.purpose !== 'dkim').every(isOk) &&
    needed.some(one => one.purpose === 'dkim' && isOk(one))
  );
}

type Standing = Pick<ClaimRow, 'missing_since' | 'verified_at'> & { readonly findings: Findings };

/**
 * Returns whether the rival that proved the domain has lost it: its record has been missing for
 * days and is still missing.
 */
const hasLost = (rival: ClaimRow, found: readonly string[], now: Date): boolean =>
  rival.missing_since !== null &&
  now.getTime() - rival.missing_since.getTime() >= DOMAIN_LOST_AFTER_MS &&
  !found.includes(rival.token);

/**
 * Takes a domain away from its previous holder and from the members of the organization it is
 * connected to.
 */
async function takeAway(deps: Deps, trx: Trx, rival: ClaimRow, members: readonly string[]): Promise<void> {
  await disconnectDomain(deps, trx, members, rival.domain);
  await loseAddressesAt(deps, trx, rival.user_id, rival.domain);
  await updateClaim(trx, rival.user_id, rival.domain, {
    verified_at: null,
    missing_since: null,
    is_primary: false,
    is_healthy: false,
    catchall: '',
  });
}

/**
 * Ends a connection left behind by a user who no longer holds the domain. It would otherwise hand
 * out addresses at a domain that now belongs to another user.
 */
async function endStrayConnection(deps: Deps, trx: Trx, claim: ClaimRow, at: Connected): Promise<void> {
  const { connector, members } = at;
  if (connector === null || connector === claim.user_id) return;
  const others = [...members, connector].filter(id => id !== claim.user_id);
  await disconnectDomain(deps, trx, others, claim.domain);
}

/**
 * The user who connected a domain, and the other members of that organization, who may have
 * addresses at it.
 */
type Connected = { readonly connector: string | null; readonly members: readonly string[] };

/**
 * Decides the state of a claim after a DNS check. `rival` is the proved claim of another user, if
 * there is one.
 */
async function judgeStanding(
  deps: Deps,
  trx: Trx,
  claim: ClaimRow,
  rival: ClaimRow | undefined,
  at: Connected,
  findings: Findings,
): Promise<Standing> {
  const now = deps.clock.now();
  const { ownership } = findings;
  const { verified_at, missing_since } = claim;
  if (ownership === undefined || ownership.state === 'unknown')
    return { verified_at, missing_since, findings };
  if (ownership.state !== 'found') {
    const since = verified_at === null ? null : (missing_since ?? now);
    return { verified_at, missing_since: since, findings };
  }
  if (verified_at !== null || rival === undefined) {
    if (verified_at === null) await endStrayConnection(deps, trx, claim, at);
    return { verified_at: verified_at ?? now, missing_since: null, findings };
  }
  if (hasLost(rival, ownership.found, now)) {
    await takeAway(deps, trx, rival, at.members);
    return { verified_at: now, missing_since: null, findings };
  }
  const held = { ...ownership, state: 'different', ok: false, advice: 'held_elsewhere' } as const;
  return { verified_at: null, missing_since: null, findings: { ...findings, ownership: held } };
}

function nextLookAfterMs(claim: ClaimRow, isProved: boolean, isHealthy: boolean, now: Date): number {
  if (isProved) return isHealthy ? DOMAIN_CHECK_HEALTHY_MS : DOMAIN_CHECK_UNHEALTHY_MS;
  const isFresh = now.getTime() - claim.created_at.getTime() < DOMAIN_CLAIM_FRESH_MS;
  return isFresh ? DOMAIN_CHECK_UNPROVED_MS : DOMAIN_CHECK_HEALTHY_MS;
}

const keyStates = (expected: readonly Expected[], findings: Findings) =>
  new Map(
    expected
      .filter(({ purpose }) => purpose === 'dkim')
      .map(({ key }) => {
        const state = findings[key]?.state ?? 'unknown';
        return [
          key.slice('dkim '.length),
          state === 'found' || state === 'unknown' ? state : ('gone' as const),
        ] as const;
      }),
  );

export type Looked = { readonly wasHealthy: boolean | null; readonly isHealthy: boolean };

/**
 * Checks DNS for a claimed domain and stores the result. Throws not_found when the claim was
 * deleted in the meantime.
 */
export async function lookAtClaim(
  deps: Deps,
  { user_id: userId, domain }: Pick<ClaimRow, 'domain' | 'user_id'>,
  token: string,
  stored: unknown,
): Promise<Looked> {
  const { db, clock, dns, config } = deps;
  const expected = expectedRecords(config, { domain, token }, await keysOfDomain(deps, domain));
  const seen = await lookAt(dns, expected, readFindings(stored), DOMAIN_LOOK_TIMEOUT_MS);
  const looked = await db.transaction().execute(async trx => {
    const now = clock.now();
    const members = await lockMembersAt(trx, domain);
    const connector = await findConnector(trx, domain);
    const holderId = await findHolder(trx, domain);
    await lockMailboxes(trx, [...new Set([userId, holderId ?? userId, connector ?? userId, ...members])]);
    const claims = await lockClaims(trx, domain);
    const claim = claims.find(one => one.user_id === userId);
    if (claim === undefined) throw new AppError('not_found');
    const rival = claims.find(one => one.user_id !== userId && one.verified_at !== null);
    // A user who became the holder since then is not locked; the next check handles that case.
    if (rival !== undefined && rival.user_id !== holderId) throw new AppError('already_in_progress');
    const standing = await judgeStanding(deps, trx, claim, rival, { connector, members }, seen);
    const isHealthy = standing.verified_at !== null && isComplete(expected, standing.findings);
    const waitMs = nextLookAfterMs(claim, standing.verified_at !== null, isHealthy, now);
    await updateClaim(trx, userId, domain, {
      verified_at: standing.verified_at,
      missing_since: standing.missing_since,
      is_healthy: isHealthy,
      checked_at: now,
      next_check_at: new Date(now.getTime() + waitMs),
      findings: JSON.stringify(standing.findings),
    });
    return { wasHealthy: claim.is_healthy, isHealthy };
  });
  await noteSeenKeys(deps, domain, keyStates(expected, seen));
  return looked;
}
