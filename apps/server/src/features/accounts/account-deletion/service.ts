/**
 * Account deletion (docs/spec-map.md 7.64, docs/interpretations.md#41): one transaction removes all
 * of the user's data, the encrypted blobs follow right after it, and both finish before the
 * response. Subscriptions at Stripe are ended by a job that the transaction creates. The account's
 * addresses are not assigned again ([Note: Former addresses] in
 * db/migrations/0017-addresses-and-domains.ts). Messages that the user's correspondents hold remain
 * theirs.
 */

import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { discardContainer, lockMailboxes } from '../../mailbox/messages/index.ts';
import { announceEnd, requireOwner } from '../auth/index.ts';
import type { OwnerProof, Prover } from '../second-factor/index.ts';
import { deleteAccount, lockUser } from '../users/index.ts';
import { deleteRows, findContainers } from './store.ts';

/** Encrypted blobs removed concurrently. */
const AT_ONCE = 8;

/**
 * Steps of features above accounts when an account is deleted; app.ts provides them. Steps with a
 * transaction run in the one that removes the account.
 */
export type AccountEnd = {
  /** Leaves the organization. Throws last_owner. */
  readonly leaveForGood: (deps: Deps, trx: Trx, userId: string) => Promise<void>;
  /** Throws admin_stays if the user is the last admin. */
  readonly keepAdmin: (trx: Trx, userId: string) => Promise<void>;
  readonly endBilling: (trx: Trx, userId: string, now: Date) => Promise<void>;
  /** Notifies the payment provider, in the background. */
  readonly startClosing: (deps: Deps) => void;
};

/**
 * Removes the account and all its data. Throws admin_stays, last_owner, and what requireOwner
 * throws.
 */
export async function closeAccount(deps: Deps & AccountEnd, owner: Prover, proof: OwnerProof): Promise<void> {
  const { userId } = owner;
  await requireOwner(deps, owner, proof);
  const containers = await deps.db.transaction().execute(async trx => {
    await deps.leaveForGood(deps, trx, userId);
    // Locks the account before its mailbox, in the same order as sign-in and password changes. No
    // message can be stored in a mailbox that is locked, or gone afterwards. A concurrent sign-in
    // waits for this lock and then finds no account.
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
  // Not awaited: the user need not wait for Stripe.
  deps.startClosing(deps);
  const waiting = [...containers];
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await discardContainer(deps, id);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // Removes what the user's other requests wrote in the meantime.
  await deps.db.transaction().execute(async trx => {
    await deps.leaveForGood(deps, trx, userId);
    await deps.endBilling(trx, userId, deps.clock.now());
    await deleteRows(trx, userId);
    await deleteAccount(trx, userId);
  });
}
