/**
 * Operator actions on the server itself, where no admin is needed to create the first (README.md,
 * Start): granting and revoking admin levels, and setting plans. The audit log names the operator
 * as the actor.
 */
import { AppError } from '@keyfold/contract/errors';
import type { AdminLevel } from '@keyfold/contract/limits';
import type { Plan } from '@keyfold/contract/plans';
import { normalizeAddress } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import type { Db } from '../../../db/pool.ts';
import { writeAudit } from '../../support/audit/index.ts';
import { setPlan } from './plan.ts';
import { isLastSuper } from './service.ts';
import { findAccountId, listAdmins, lockAdminLevel, lockSupers, setAdminLevel } from './store.ts';

type Place = Pick<Deps, 'clock' | 'db'>;

const OPERATOR = { kind: 'operator' } as const;

/**
 * Sets the admin level of the owner of an address; null revokes it. Returns false when the level is
 * unchanged. Throws not_found, not_an_admin, last_super.
 */
export const setAdmin = ({ db, clock }: Place, address: string, level: AdminLevel | null): Promise<boolean> =>
  db.transaction().execute(async trx => {
    const supers = level === 'super' ? [] : await lockSupers(trx);
    const userId = (await findAccountId(trx, normalizeAddress(address)))?.id;
    const former = userId === undefined ? undefined : await lockAdminLevel(trx, userId);
    if (userId === undefined || former === undefined) throw new AppError('not_found');
    if (level === null && former === null) throw new AppError('not_an_admin');
    if (level !== 'super' && former === 'super' && isLastSuper(supers, userId))
      throw new AppError('last_super');
    if (level === former) return false;
    await setAdminLevel(trx, userId, level);
    await writeAudit(trx, {
      actor: OPERATOR,
      action: level === null ? 'revoke_admin' : 'grant_admin',
      subjectId: userId,
      ...(level === null ? {} : { details: { level } }),
      at: clock.now(),
    });
    return true;
  });

/** Sets the plan of the owner of an address. Throws not_found. */
export const setPlanOf = ({ db, clock }: Place, address: string, plan: Plan): Promise<void> =>
  db.transaction().execute(async trx => {
    const userId = (await findAccountId(trx, normalizeAddress(address)))?.id;
    if (userId === undefined) throw new AppError('not_found');
    const former_plan = await setPlan(trx, userId, plan);
    if (former_plan === plan) return;
    await writeAudit(trx, {
      actor: OPERATOR,
      action: 'set_plan',
      subjectId: userId,
      details: { plan, former_plan },
      at: clock.now(),
    });
  });

/** Returns every admin with their level. */
export const findAdmins = (db: Db): Promise<{ email: string; admin_level: AdminLevel | null }[]> =>
  listAdmins(db);
