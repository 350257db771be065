/**
 * The organization log, written in the same transaction as each action and visible to owners and
 * admins, and the notices sent about those actions. features/support/audit shows the admins of the
 * service their part of it.
 */
import type { OrganizationLogEntry } from '@keyfold/contract';
import type { OrganizationRole } from '@keyfold/contract/limits';
import type { OrganizationAction } from '@keyfold/contract/log-actions';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { listOwnerIds, type Membership } from '../../accounts/memberships/index.ts';
import { storeNotice } from '../../accounts/notices/index.ts';
import { lockMailboxes } from '../../mailbox/messages/index.ts';
import { type AuditEntry, readOrganizationLog, writeAudit } from '../../support/audit/index.ts';
import { getRight } from './rights.ts';

type Where = Pick<Membership, 'organizationId'>;
type Deed = Pick<AuditEntry, 'details' | 'object' | 'subjectId'> & { readonly action: OrganizationAction };

/** Logs an action in the transaction that performs it. */
export const writeLog = (
  { clock }: Pick<Deps, 'clock'>,
  trx: Trx,
  userId: string,
  { organizationId }: Where,
  deed: Deed,
): Promise<void> =>
  writeAudit(trx, { actor: { kind: 'member', userId, organizationId }, at: clock.now(), ...deed });

type Told = {
  readonly userId: string;
  readonly kind: 'member_reset_begun' | 'owners_changed' | 'reset_begun' | `role_${OrganizationRole}`;
};

/**
 * Stores notices in mailboxes. Locks all mailboxes together, and therefore in the global lock
 * order.
 */
async function tell(deps: Deps, trx: Trx, all: readonly Told[]): Promise<void> {
  if (all.length === 0) return;
  await lockMailboxes(
    trx,
    all.map(({ userId }) => userId),
  );
  for (const { userId, kind } of all) await storeNotice(deps, trx, userId, { kind });
}

const ownersBut = async (trx: Trx, { organizationId }: Where, except: readonly string[]): Promise<string[]> =>
  (await listOwnerIds(trx, organizationId)).filter(id => !except.includes(id));

/** Notifies a member that a reset was started, and all owners except the one who started it. */
export const tellReset = async (
  deps: Deps,
  trx: Trx,
  where: Where,
  byWhom: string,
  memberId: string,
): Promise<void> =>
  tell(deps, trx, [
    { userId: memberId, kind: 'reset_begun' },
    ...(await ownersBut(trx, where, [byWhom])).map(
      userId => ({ userId, kind: 'member_reset_begun' }) as const,
    ),
  ]);

/**
 * Notifies a member of a new role, unless the member set it, and notifies the other owners when an
 * owner was added or removed.
 */
export async function tellRole(
  deps: Deps,
  trx: Trx,
  where: Where,
  byWhom: string,
  change: { readonly userId: string; readonly role: OrganizationRole; readonly formerRole: OrganizationRole },
): Promise<void> {
  const { userId, role, formerRole } = change;
  const isOfOwners = role === 'owner' || formerRole === 'owner';
  const owners = isOfOwners ? await ownersBut(trx, where, [byWhom, userId]) : [];
  await tell(deps, trx, [
    ...(userId === byWhom ? [] : [{ userId, kind: `role_${role}` } as const]),
    ...owners.map(owner => ({ userId: owner, kind: 'owners_changed' }) as const),
  ]);
}

/** Notifies the remaining owners that an owner has left. */
export const tellOwnerGone = async (deps: Deps, trx: Trx, where: Where, byWhom: string): Promise<void> =>
  tell(
    deps,
    trx,
    (await ownersBut(trx, where, [byWhom])).map(userId => ({ userId, kind: 'owners_changed' })),
  );

/** Returns a page of the log. Throws not_found, forbidden. */
export async function listLog(
  { db }: Deps,
  userId: string,
  page: { readonly before?: number | undefined; readonly count: number },
): Promise<{ readonly entries: OrganizationLogEntry[]; readonly has_more: boolean }> {
  const { organizationId } = await getRight(db, userId, 'view_log');
  return readOrganizationLog(db, organizationId, page);
}
