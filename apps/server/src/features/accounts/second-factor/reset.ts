/**
 * Operator command, run on the server itself, that removes the second factor of an account whose
 * owner has lost it (`npm run admin`). It gives access to no mail and no
 * session. The owner always gets a notice.
 */

import { AppError } from '@keyfold/contract/errors';
import { normalizeAddress } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import { writeAudit } from '../../support/audit/index.ts';
import { storeNotice } from '../notices/index.ts';
import { findAccountOf, lockUser } from '../users/index.ts';
import { forgetFactors } from './service.ts';

/**
 * Removes every second factor of the account that owns an address; returns whether there was one.
 * Throws not_found.
 */
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
