/**
 * Tells the operator that more role mail came than is sent on: once a day for each share, in the audit log. Which network it was
 * stands nowhere; the mail itself lies in the role's mailbox.
 */
import type { Deps } from '../../../context/deps.ts';
import { findLastEntryAt, writeAudit } from '../../support/audit/index.ts';

/** Whose share was used up: that of one site, or that of all together. */
export type Shares = 'all' | 'site';

const DAY_MS = 86_400_000;
const ACTION = 'limit_forwards';

/** Notes that a share is used up. Never rejects: mail does not wait for it. */
export function createRefusedForwards({
  clock,
  db,
  logger,
}: Pick<Deps, 'clock' | 'db' | 'logger'>): (share: Shares) => Promise<void> {
  // When each share was last looked for in the log: once a day is often enough.
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
      logger.warn({ err: error }, 'that too much role mail came could not be written down yet');
    }
  };
}
