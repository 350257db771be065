/**
 * The end of an account (docs/spec-map.md 7.64, docs/interpretations.md#41): everything that is the user's goes in one
 * transaction, the containers right after it, and both before the answer. What is paid for at Stripe ends by an order that the
 * transaction leaves behind. Its addresses are not given out again ([Note: Former addresses] in
 * db/migrations/0017-addresses-and-domains.ts). What the user's correspondents have stays theirs.
 */

import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { discardContainer, lockMailboxes } from '../../mailbox/messages/index.ts';
import { announceEnd, requireOwner } from '../auth/index.ts';
import type { OwnerProof, Prover } from '../second-factor/index.ts';
import { deleteAccount, lockUser } from '../users/index.ts';
import { deleteRows, findContainers } from './store.ts';

/** Containers taken away at one time. */
const AT_ONCE = 8;

/**
 * What features that stand above accounts do when one ends; app.ts names them. Those with a transaction run in that which
 * removes the account.
 */
export type AccountEnd = {
  /** Leaves the organization. Throws last_owner. */
  readonly leaveForGood: (deps: Deps, trx: Trx, userId: string) => Promise<void>;
  /** Throws admin_stays for the last admin. */
  readonly keepAdmin: (trx: Trx, userId: string) => Promise<void>;
  readonly endBilling: (trx: Trx, userId: string, now: Date) => Promise<void>;
  /** Tells who takes the payments, in the background. */
  readonly startClosing: (deps: Deps) => void;
};

/** Removes the account and all that is in it. Throws admin_stays, last_owner, and what requireOwner throws. */
export async function closeAccount(deps: Deps & AccountEnd, owner: Prover, proof: OwnerProof): Promise<void> {
  const { userId } = owner;
  await requireOwner(deps, owner, proof);
  const containers = await deps.db.transaction().execute(async trx => {
    await deps.leaveForGood(deps, trx, userId);
    // The account before its mailbox, as signing in and a changed password take them. Nobody puts mail into a mailbox
    // that is locked, or gone afterwards.
    // A sign-in under way waits for this lock, and finds no account afterwards.
    await lockUser(trx, userId, 'ending');
    await deps.keepAdmin(trx, userId);
    await lockMailboxes(trx, [userId]);
    const found = await findContainers(trx, userId);
    await deps.endBilling(trx, userId, deps.clock.now());
    await deleteRows(trx, userId);
    await deleteAccount(trx, userId);
    return found;
  });
  announceEnd(deps.db, userId);
  // Not waited for: whether Stripe answers is nothing to who leaves.
  deps.startClosing(deps);
  const waiting = [...containers];
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await discardContainer(deps, id);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // What other requests of the same user wrote meanwhile.
  await deps.db.transaction().execute(async trx => {
    await deps.leaveForGood(deps, trx, userId);
    await deps.endBilling(trx, userId, deps.clock.now());
    await deleteRows(trx, userId);
    await deleteAccount(trx, userId);
  });
}
