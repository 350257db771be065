/**
 * Tells the operator that role mail cannot be delivered where they have it sent on to (docs/adr/0041): a line in the log and,
 * once a day for each domain, an entry in the audit log. Nobody else is told: the mail has arrived at its role's mailbox, and a
 * notice to whoever its sender claims to be would be backscatter.
 */
import { domainOf } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { findLastEntryAt, writeAudit } from '../../support/audit/index.ts';

const DAY_MS = 86_400_000;

/** Notes recipients that are given up, in the transaction that does so. Those of bounces on their way back are left out. */
export async function noteLostForwards(
  { clock, config, logger }: Pick<Deps, 'clock' | 'config' | 'logger'>,
  trx: Trx,
  recipients: readonly string[],
): Promise<void> {
  const targets = new Set(config.forwards.map(({ target }) => target));
  const domains = new Set(recipients.filter(address => targets.has(address)).map(domainOf));
  for (const domain of domains) {
    logger.warn({ domain }, 'role mail could not be sent on');
    const at = clock.now();
    const action = 'lose_forward';
    const lastAt = await findLastEntryAt(trx, action, domain);
    if (lastAt !== null && at.getTime() - lastAt.getTime() < DAY_MS) continue;
    await writeAudit(trx, { actor: { kind: 'service' }, action, object: domain, at });
  }
}
