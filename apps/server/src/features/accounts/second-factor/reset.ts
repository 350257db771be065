/**
 * The operator's way to take the second factor off an account whose owner has lost it, from the machine itself (README.md,
 * Configuration: the tool). It opens no mail and no session; the owner is told by a notice, whoever asked for it.
 */

import { AppError } from '@keyfold/contract/errors';
import { normalizeAddress } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import { writeAudit } from '../../support/audit/index.ts';
import { storeNotice } from '../notices/index.ts';
import { findAccountOf, lockUser } from '../users/index.ts';
import { forgetFactors } from './service.ts';

/** Takes every second factor off the account that owns an address; whether there was one. Throws not_found. */
export async function resetSecondFactor(deps: Deps, address: string): Promise<boolean> {
  const userId = await findAccountOf(deps.db, normalizeAddress(address));
  if (userId === null) throw new AppError('not_found');
  return deps.db.transaction().execute(async trx => {
    if ((await lockUser(trx, userId)) === undefined) throw new AppError('not_found');
    if (!(await forgetFactors(trx, userId))) return false;
    await storeNotice(deps, trx, userId, { kind: 'second_factor_reset' });
    await writeAudit(trx, {
      actor: { kind: 'operator' },
      action: 'reset_second_factor',
      subjectId: userId,
      at: deps.clock.now(),
    });
    return true;
  });
}
