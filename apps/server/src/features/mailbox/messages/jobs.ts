/**
 * Job bodies for mail and containers whose time has come: deleted mail goes after 30 days, empty drafts and orphaned
 * containers after a day, and snoozed mail comes back. Each may run at any time, several times, and on several nodes:
 * what is due is asked of the database, so neither a crash nor a clock that jumps loses anything.
 */

import { EMPTY_DRAFT_KEPT_MS, MOVE_RUN_MS, ORPHAN_BLOB_KEPT_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { nextContainers } from './container-store.ts';
import { collectContainer, moveContainer } from './containers.ts';
import { type FindExpired, findEmptyDrafts, findPurgeable, findWakeable } from './expiry-store.ts';
import { removeMails } from './removal.ts';
import { lockMailboxes } from './store.ts';
import { wakeMails } from './waking.ts';

type JobDeps = Pick<Deps, 'blobs' | 'clock' | 'db' | 'logger'>;

/** What a feature that stands above the mailbox forgets with mail that goes for good; jobs/schedule.ts names it. */
type MailEnd = {
  readonly forgetScheduled: (trx: Trx, userId: string, emailIds: readonly string[]) => Promise<void>;
};

const MAILS_PER_BATCH = 500;
const CONTAINERS_PER_BATCH = 2_000;

/** What is done with due mails of one mailbox; returns with how many. */
type Deed = (trx: Trx, userId: string, ids: readonly string[]) => Promise<number>;

/** Does a deed to what `find` finds, mailbox by mailbox, and asks again under each lock: a user may have taken one back. */
async function settleDue({ db }: JobDeps, find: FindExpired, before: Date, deed: Deed): Promise<number> {
  let settled = 0;
  for (;;) {
    const found = await find(db, before, MAILS_PER_BATCH);
    let settledNow = 0;
    for (const [userId, mails] of Map.groupBy(found, mail => mail.user_id)) {
      const ids = mails.map(mail => mail.id);
      settledNow += await db.transaction().execute(async trx => {
        await lockMailboxes(trx, [userId]);
        const still = await find(trx, before, ids.length, { userId, ids });
        return deed(
          trx,
          userId,
          still.map(mail => mail.id),
        );
      });
    }
    settled += settledNow;
    // A batch with which nothing was done is in its users' hands: the next run sees what is left.
    if (found.length < MAILS_PER_BATCH || settledNow === 0) return settled;
  }
}

/** Removes deleted mail whose time is over for good; returns how many mails. */
export const purgeDeletedMail = (deps: JobDeps & MailEnd): Promise<number> =>
  settleDue(deps, findPurgeable, deps.clock.now(), async (trx, userId, ids) => {
    const removed = await removeMails(trx, userId, ids);
    await deps.forgetScheduled(trx, userId, ids);
    return removed;
  });

/** Removes drafts that never got a body, with their containers; returns how many. */
export const collectEmptyDrafts = (deps: JobDeps): Promise<number> =>
  settleDue(deps, findEmptyDrafts, new Date(deps.clock.now().getTime() - EMPTY_DRAFT_KEPT_MS), removeMails);

/** Brings snoozed mail whose time has come back on top, unread; returns how many mails. */
export function wakeSnoozedMail(deps: JobDeps): Promise<number> {
  const now = deps.clock.now();
  return settleDue(deps, findWakeable, now, (trx, userId, ids) => wakeMails(trx, userId, ids, now));
}

/**
 * Removes containers that no mail refers to and that are older than a day; returns how many. One whose bytes cannot be
 * removed now is left for the next run.
 */
export async function collectOrphanContainers(deps: JobDeps): Promise<number> {
  const olderThan = new Date(deps.clock.now().getTime() - ORPHAN_BLOB_KEPT_MS);
  let lastId: string | undefined;
  let collected = 0;
  do {
    const batch = await nextContainers(deps.db, olderThan, lastId, CONTAINERS_PER_BATCH);
    for (const { id } of batch.filter(one => !one.isUsed)) {
      try {
        if (await collectContainer(deps, id)) collected += 1;
      } catch (error) {
        deps.logger.warn({ err: error, blobId: id }, 'orphaned container could not be removed');
      }
    }
    lastId = batch.at(-1)?.id;
  } while (lastId !== undefined);
  return collected;
}

/**
 * Moves containers from a former blob store to the present one, for as long as one run may take; how many went, and
 * whether all are there now. One that cannot be moved now is left for the next run.
 */
export async function moveContainers(
  deps: JobDeps,
): Promise<0 | { readonly moved: number; readonly failed: number; readonly all_moved: number }> {
  const { move } = deps.blobs;
  if (move === undefined) return 0;
  const endAt = performance.now() + MOVE_RUN_MS;
  let [moved, failed, isCutOff] = [0, 0, false];
  for await (const id of move.waiting()) {
    if (performance.now() > endAt) {
      isCutOff = true;
      break;
    }
    try {
      await moveContainer(deps, move, id);
      moved += 1;
    } catch (error) {
      failed += 1;
      deps.logger.warn({ err: error, blobId: id }, 'container could not be moved');
    }
  }
  return moved + failed === 0 ? 0 : { moved, failed, all_moved: Number(failed === 0 && !isCutOff) };
}
