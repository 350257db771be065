/**
 * The end of an account (Spec §7, readings 41): everything that is the user's goes in one transaction, the containers
 * right after it, and both before the answer. What is paid for at Stripe ends by an order that the transaction leaves behind. Its addresses are not given out again
 * ([Note: Former addresses] in db/migrations/0017-addresses-and-domains.ts). What the user's correspondents have stays theirs.
 */
import type { Deps } from '../../../base/deps.ts';
import { discardContainer, lockMailboxes } from '../../mailbox/messages/service.ts';
import { keepAdmin } from '../../operator/admin/service.ts';
import { endBilling, startClosing } from '../../organization/billing/service.ts';
import { leaveForGood } from '../../organization/members/service.ts';
import { announceEnd, type OwnerProof, requireOwner } from '../auth/service.ts';
import type { Prover } from '../second-factor/service.ts';
import { deleteUser, findContainers, lockUser } from './store.ts';

/** Containers taken away at one time. */
const AT_ONCE = 8;

/** Removes the account and all that is in it. Throws admin_stays, last_owner, and what requireOwner throws. */
export const closeAccount = async (deps: Deps, owner: Prover, proof: OwnerProof): Promise<void> => {
  const { userId } = owner;
  await requireOwner(deps, owner, proof);
  const containers = await deps.db.transaction().execute(async trx => {
    await leaveForGood(deps, trx, userId);
    // The account before its mailbox, as signing in and a changed password take them. Nobody puts mail into a mailbox
    // that is locked, or gone afterwards.
    await lockUser(trx, userId);
    await keepAdmin(trx, userId);
    await lockMailboxes(trx, [userId]);
    const found = await findContainers(trx, userId);
    await endBilling(trx, userId, deps.clock.now());
    await deleteUser(trx, userId);
    return found;
  });
  announceEnd(deps.db, userId);
  // Not waited for: whether Stripe answers is nothing to who leaves.
  startClosing(deps);
  const waiting = [...containers];
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await discardContainer(deps, id);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // What other requests of the same user wrote meanwhile.
  await deps.db.transaction().execute(async trx => {
    await leaveForGood(deps, trx, userId);
    await endBilling(trx, userId, deps.clock.now());
    await deleteUser(trx, userId);
  });
};
