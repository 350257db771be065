/**
 * Reports to the operator that more role mail arrived than may be forwarded: once a day per limit,
 * in the audit log. The network it came from is not recorded. The messages themselves stay in the
 * role's mailbox.
 */
import type { Deps } from '../../../context/deps.ts';
import { findLastEntryAt, writeAudit } from '../../support/audit/index.ts';

/** The exhausted limit: that of one site, or the total. */
export type Shares = 'all' | 'site';

const DAY_MS = 86_400_000;
const ACTION = 'limit_forwards';

/**
 * Creates a function that records an exhausted limit. It never rejects, because mail must not wait
 * for it.
 */
export function createRefusedForwards({
  clock,
  db,
  logger,
}: Pick<Deps, 'clock' | 'db' | 'logger'>): (share: Shares) => Promise<void> {
  // Time at which each limit was last looked up in the log. Once a day is enough.
  const lookedAtMs = new Map<Shares, number>();
  const isRecent = (atMs: number | undefined, nowMs: number): boolean =>
    atMs !== undefined && Math.abs(nowMs - atMs) < DAY_MS;
  return async share => {
    const at = clock.now();
    if (isRecent(lookedAtMs.get(share), at.getTime())) return;
    lookedAtMs.set(share, at.getTime());
    try {
      await db.transaction().execute(async trx => {
        const lastAt = await findLastEntryAt(trx, ACTION, share);
        if (isRecent(lastAt?.getTime(), at.getTime())) return;
        await writeAudit(trx, { actor: { kind: 'service' }, action: ACTION, object: share, at });
      });
    } catch (error) {
      lookedAtMs.delete(share);
      logger.warn({ err: error }, 'could not record excess role mail, will retry');
    }
  };
}
