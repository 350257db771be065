/**
 * What is done in an organisation, written down with the deed and shown to its owners and admins; and who is told of it by a
 * notice. What of it admins of the service see is features/support/audit's.
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

/** Writes down what somebody did, in the transaction of the deed. */
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

/** Puts notices into mailboxes, whose locks are taken together and so in the order that holds for all. */
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

/** Tells a member that a reset was begun, and all owners but who began it. */
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

/** Tells a member of a new role, unless they took it themselves, and the other owners when one came or went. */
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

/** Tells the owners who stay that one has gone. */
export const tellOwnerGone = async (deps: Deps, trx: Trx, where: Where, byWhom: string): Promise<void> =>
  tell(
    deps,
    trx,
    (await ownersBut(trx, where, [byWhom])).map(userId => ({ userId, kind: 'owners_changed' })),
  );

/** A page of what was done. Throws not_found, forbidden. */
export async function listLog(
  { db }: Deps,
  userId: string,
  page: { readonly before?: number | undefined; readonly count: number },
): Promise<{ readonly entries: OrganizationLogEntry[]; readonly has_more: boolean }> {
  const { organizationId } = await getRight(db, userId, 'view_log');
  return readOrganizationLog(db, organizationId, page);
}
