/**
 * Job bodies for expired messages and containers: purge deleted messages after 30 days, remove
 * empty drafts and orphaned containers after a day, and return snoozed messages. Each may run at
 * any time, repeatedly, and on several nodes: the database decides what is due, so neither a crash
 * nor a clock jump loses anything.
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

/**
 * Cleanup that a higher-level feature does for permanently removed messages; jobs/schedule.ts
 * supplies it.
 */
type MailEnd = {
  readonly forgetScheduled: (trx: Trx, userId: string, emailIds: readonly string[]) => Promise<void>;
};

const MAILS_PER_BATCH = 500;
const CONTAINERS_PER_BATCH = 2_000;

/** Processes due messages of one mailbox. Returns how many it processed. */
type Deed = (trx: Trx, userId: string, ids: readonly string[]) => Promise<number>;

/**
 * Applies a deed to what `find` returns, mailbox by mailbox. Checks again under each lock, because
 * a user may have restored a message.
 */
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
    // If nothing in a batch could be processed, users are changing these messages; the next run
    // handles the rest.
    if (found.length < MAILS_PER_BATCH || settledNow === 0) return settled;
  }
}

/** Permanently removes deleted messages that are due. Returns how many. */
export const purgeDeletedMail = (deps: JobDeps & MailEnd): Promise<number> =>
  settleDue(deps, findPurgeable, deps.clock.now(), async (trx, userId, ids) => {
    const removed = await removeMails(trx, userId, ids);
    await deps.forgetScheduled(trx, userId, ids);
    return removed;
  });

/** Removes drafts that never got a body, with their containers. Returns how many. */
export const collectEmptyDrafts = (deps: JobDeps): Promise<number> =>
  settleDue(deps, findEmptyDrafts, new Date(deps.clock.now().getTime() - EMPTY_DRAFT_KEPT_MS), removeMails);

/** Returns due snoozed messages to the top, unread. Returns how many. */
export function wakeSnoozedMail(deps: JobDeps): Promise<number> {
  const now = deps.clock.now();
  return settleDue(deps, findWakeable, now, (trx, userId, ids) => wakeMails(trx, userId, ids, now));
}

/**
 * Removes unreferenced containers that are older than a day. Returns how many. A container whose
 * bytes cannot be removed is left for the next run.
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
        deps.logger.warn({ err: error, blobId: id }, 'could not remove an orphaned container');
      }
    }
    lastId = batch.at(-1)?.id;
  } while (lastId !== undefined);
  return collected;
}

/**
 * Moves containers from a former blob store to the current one, within the time limit of one run.
 * Returns how many were moved and whether all are there now. A container that cannot be moved is
 * left for the next run.
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
      deps.logger.warn({ err: error, blobId: id }, 'could not move a container');
    }
  }
  return moved + failed === 0 ? 0 : { moved, failed, all_moved: Number(failed === 0 && !isCutOff) };
}
