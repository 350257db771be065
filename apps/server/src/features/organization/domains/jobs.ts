/**
 * Job body that checks the domains that are due and notifies their owners of changes found in the
 * background.
 */
import type { Deps } from '../../../context/deps.ts';
import { findOwnersOf } from '../../accounts/users/index.ts';
import { sealNotice } from '../../inbound/ingest/index.ts';
import { storeMails } from '../../mailbox/messages/index.ts';
import { findOwnAddresses } from '../addresses/index.ts';
import { lookAtClaim } from './claims.ts';
import { buildDomainNotice } from './notice.ts';
import { type ClaimRow, findVerifiedDomains, takeDueClaims } from './store.ts';

/** Number of domains checked in parallel. Each takes a handful of DNS queries. */
const AT_ONCE = 10;
/** Maximum number of domains per run. The rest are due in the next run. */
const RUN_MAX = 500;
/** A domain whose check was lost to a crash is due again after this time. */
const CLAIM_MS = 10 * 60_000;

async function tellOwner(deps: Deps, claim: ClaimRow, isReady: boolean): Promise<void> {
  const { db, clock, config } = deps;
  const { main } = await findOwnAddresses(db, claim.user_id);
  const recipient = (await findOwnersOf(db, [main])).get(main);
  if (recipient === undefined) return;
  const now = clock.now();
  const raw = buildDomainNotice({
    domain: claim.domain,
    isReady,
    to: main,
    hostname: config.hostname,
    link: `${config.publicUrl}/app/config/domains`,
    now,
  });
  const notice = await sealNotice(deps, { raw, recipient, receivedAt: now, isOwnName: true });
  await db.transaction().execute(trx => storeMails(trx, [notice]));
}

async function look(deps: Deps, claim: ClaimRow): Promise<void> {
  try {
    const { wasHealthy, isHealthy } = await lookAtClaim(deps, claim, claim.token, claim.findings);
    if (isHealthy !== (wasHealthy ?? false)) await tellOwner(deps, claim, isHealthy);
  } catch (error) {
    deps.logger.info({ err: error }, 'could not check a domain');
  }
}

/** Checks all domains that are due and returns how many. */
export async function checkDueDomains(deps: Deps): Promise<number> {
  const { db, clock } = deps;
  let looked = 0;
  while (looked < RUN_MAX) {
    const now = clock.now();
    const due = await takeDueClaims(db, now, new Date(now.getTime() + CLAIM_MS), AT_ONCE);
    if (due.length === 0) break;
    await Promise.all(due.map(claim => look(deps, claim)));
    looked += due.length;
  }
  return looked;
}

/** Returns all domains whose owners have proved their ownership. */
export const listVerifiedDomains = ({ db }: Pick<Deps, 'db'>): Promise<string[]> => findVerifiedDomains(db);
