/**
 * Admin actions on accounts (docs/spec-map.md 6, docs/interpretations.md#67, #68 and #73): granting
 * and revoking levels, suspending, plans, held mail. Each action, its audit log entry and the
 * notice to the affected user are one transaction. The transaction checks levels again, because the
 * earlier check may be outdated.
 */
import type { api, InputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { ADMIN_LEVELS, type AdminLevel } from '@keyfold/contract/limits';
import type { AuditAction } from '@keyfold/contract/log-actions';
import type { Plan } from '@keyfold/contract/plans';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { levelOf } from '../../../base/admin-level.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { announceEnd, endAllSessions } from '../../accounts/auth/index.ts';
import { type Notice, type NoticeFacts, storeNotice } from '../../accounts/notices/index.ts';
import {
  findAccountOf,
  isLastSuper,
  lockSupers,
  lockUser,
  setAdminLevel,
  setPlan,
  updateStatus,
} from '../../accounts/users/index.ts';
import { endImportsOfSuspended } from '../../imports/server-import/index.ts';
import { signalDelivery } from '../../outbound/delivery/index.ts';
import { releaseHold } from '../../outbound/send-watch/index.ts';
import { type AuditEntry, writeAudit } from '../../support/audit/index.ts';
import { findLevel } from './store.ts';

type Account = NonNullable<Awaited<ReturnType<typeof lockUser>>>;
type Level = AdminLevel | null;

/** The account after the action, as endpoints return it. */
export type Done = Pick<Account, 'email' | 'is_admin' | 'plan' | 'status'> & { readonly admin_level: Level };

async function requireLevel(trx: Trx, actorId: string, needed: AdminLevel): Promise<void> {
  const level = await findLevel(trx, actorId);
  if (level === null || ADMIN_LEVELS.indexOf(level) < ADMIN_LEVELS.indexOf(needed))
    throw new AppError('forbidden');
}

const unknownUser = () => new AppError('not_found', { message: 'User not found' });

async function findUser(trx: Trx, address: string): Promise<string> {
  const id = await findAccountOf(trx, normalizeAddress(address));
  if (id === null) throw unknownUser();
  return id;
}

async function lockAccount(trx: Trx, id: string): Promise<Account> {
  const account = await lockUser(trx, id, 'ending');
  if (account === undefined) throw unknownUser();
  return account;
}

type Told = {
  readonly action: AuditAction;
  readonly details?: NonNullable<AuditEntry['details']>;
  readonly notice: Notice['kind'];
  readonly facts?: NoticeFacts;
};

/** Writes the action to the audit log and notifies the account's owner. */
async function tell(deps: Deps, trx: Trx, actorId: string, subjectId: string, told: Told): Promise<void> {
  const { action, details, notice, facts = {} } = told;
  await writeAudit(trx, {
    actor: { kind: 'admin', userId: actorId },
    action,
    subjectId,
    ...(details === undefined ? {} : { details }),
    at: deps.clock.now(),
  });
  await storeNotice(deps, trx, subjectId, { kind: notice, facts } as Notice);
}

async function doneOf(trx: Trx, id: string): Promise<Done> {
  const account = await lockAccount(trx, id);
  const { email, status, plan, is_admin } = account;
  return { email, status, plan, is_admin, admin_level: levelOf(account) };
}

/**
 * Grants an account a level, or revokes it with null. Throws forbidden, not_found, last_super,
 * not_an_admin, subject_suspended.
 */
export const changeLevel = (deps: Deps, actorId: string, address: string, level: Level): Promise<Done> =>
  deps.db.transaction().execute(async trx => {
    // Locks all super admins before the account: after waiting here, a caller learns whether it
    // still is one.
    const supers = await lockSupers(trx);
    await requireLevel(trx, actorId, 'super');
    const id = await findUser(trx, address);
    const account = await lockAccount(trx, id);
    const former = levelOf(account);
    if (level === null && former === null) throw new AppError('not_an_admin');
    if (level !== null && account.status === 'suspended') throw new AppError('subject_suspended');
    if (level !== 'super' && former === 'super' && isLastSuper(supers, id)) throw new AppError('last_super');
    if (level !== former) {
      await setAdminLevel(trx, id, level);
      await tell(
        deps,
        trx,
        actorId,
        id,
        level === null
          ? { action: 'revoke_admin', notice: 'admin_revoked' }
          : { action: 'grant_admin', details: { level }, notice: 'admin_granted', facts: { level } },
      );
    }
    return doneOf(trx, id);
  });

/**
 * Suspends an account and ends its sessions and its imports from other providers. Throws forbidden,
 * not_found, own_account, admin_kept.
 */
export async function suspend(
  deps: Deps,
  actorId: string,
  { user_email, reason }: InputOf<typeof api.admin.suspend_user>,
): Promise<Done> {
  const { id, done } = await deps.db.transaction().execute(async trx => {
    await requireLevel(trx, actorId, 'standard');
    const id = await findUser(trx, user_email);
    if (id === actorId) throw new AppError('own_account');
    const account = await lockAccount(trx, id);
    if (account.is_admin) throw new AppError('admin_kept');
    if (account.status === 'active') {
      await updateStatus(trx, id, 'suspended');
      await endAllSessions(trx, id, { why: 'suspended', now: deps.clock.now() });
      await endImportsOfSuspended(deps, trx, id);
      await tell(deps, trx, actorId, id, {
        action: 'suspend_user',
        details: { reason },
        notice: 'account_suspended',
        facts: { reason },
      });
    }
    return { id, done: await doneOf(trx, id) };
  });
  announceEnd(deps.db, id);
  return done;
}

/** Ends a suspension. Does nothing if the account is not suspended. Throws forbidden, not_found. */
export const unsuspend = (deps: Deps, actorId: string, address: string): Promise<Done> =>
  deps.db.transaction().execute(async trx => {
    await requireLevel(trx, actorId, 'standard');
    const id = await findUser(trx, address);
    const account = await lockAccount(trx, id);
    if (account.status === 'suspended') {
      await updateStatus(trx, id, 'active');
      await tell(deps, trx, actorId, id, { action: 'unsuspend_user', notice: 'account_unsuspended' });
    }
    return doneOf(trx, id);
  });

/**
 * Releases an account's held outbound mail. Returns whether it was held. Admins cannot release
 * their own, because their account may be compromised. Throws forbidden, not_found, own_hold.
 */
export async function releaseMail(deps: Deps, actorId: string, address: string): Promise<boolean> {
  const isReleased = await deps.db.transaction().execute(async trx => {
    await requireLevel(trx, actorId, 'standard');
    const id = await findUser(trx, address);
    if (id === actorId) throw new AppError('own_hold');
    const account = await lockAccount(trx, id);
    if (account.is_admin) await requireLevel(trx, actorId, 'super');
    return releaseHold(deps, trx, { kind: 'admin', userId: actorId }, id);
  });
  if (isReleased) signalDelivery(deps);
  return isReleased;
}

/**
 * Sets the plan of an account, or of the caller when no address is given. Throws forbidden,
 * not_found.
 */
export const choosePlan = (
  deps: Deps,
  actorId: string,
  address: string | undefined,
  plan: Plan,
): Promise<Done> =>
  deps.db.transaction().execute(async trx => {
    const id = address === undefined ? actorId : await findUser(trx, address);
    const account = await lockAccount(trx, id);
    await requireLevel(trx, actorId, account.is_admin && id !== actorId ? 'super' : 'standard');
    const former_plan = await setPlan(trx, id, plan);
    if (former_plan !== plan)
      await tell(deps, trx, actorId, id, {
        action: 'set_plan',
        details: { plan, former_plan },
        notice: 'plan_set',
        facts: { plan, former_plan },
      });
    return doneOf(trx, id);
  });
