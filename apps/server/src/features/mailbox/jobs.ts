/**
 * Job bodies that make mail and containers go away when their time has come: deleted mail after 30 days, empty drafts
 * and orphaned containers after a day. Each may run at any time, several times, and on several nodes.
 */
import type { Deps } from '../../deps.ts';
import { EMPTY_DRAFT_KEPT_MS, ORPHAN_BLOB_KEPT_MS } from '../../limits.ts';
import { nextContainers } from './container-store.ts';
import { collectContainer } from './containers.ts';
import { type FindExpired, findEmptyDrafts, findPurgeable } from './expiry-store.ts';
import { removeMails } from './removal.ts';
import { lockMailboxes } from './store.ts';

type JobDeps = Pick<Deps, 'blobs' | 'clock' | 'db' | 'logger'>;

const MAILS_PER_BATCH = 500;
const CONTAINERS_PER_BATCH = 2_000;

/** Removes what `find` finds, mailbox by mailbox, and asks again under each lock: a user may have taken one back. */
const removeExpired = async ({ db }: JobDeps, find: FindExpired, before: Date): Promise<number> => {
  let removed = 0;
  for (;;) {
    const found = await find(db, before, MAILS_PER_BATCH);
    let removedNow = 0;
    for (const [userId, mails] of Map.groupBy(found, mail => mail.user_id)) {
      const ids = mails.map(mail => mail.id);
      removedNow += await db.transaction().execute(async trx => {
        await lockMailboxes(trx, [userId]);
        const still = await find(trx, before, ids.length, { userId, ids });
        return removeMails(
          trx,
          userId,
          still.map(mail => mail.id),
        );
      });
    }
    removed += removedNow;
    // A batch of which nothing went is in its users' hands: the next run sees what is left.
    if (found.length < MAILS_PER_BATCH || removedNow === 0) return removed;
  }
};

/** Removes deleted mail whose time is over for good; returns how many mails. */
export const purgeDeletedMail = (deps: JobDeps): Promise<number> =>
  removeExpired(deps, findPurgeable, deps.clock.now());

/** Removes drafts that never got a body, with their containers; returns how many. */
export const collectEmptyDrafts = (deps: JobDeps): Promise<number> =>
  removeExpired(deps, findEmptyDrafts, new Date(deps.clock.now().getTime() - EMPTY_DRAFT_KEPT_MS));

/**
 * Removes containers that no mail refers to and that are older than a day; returns how many. One whose bytes cannot be
 * removed now is left for the next run.
 */
export const collectOrphanContainers = async (deps: JobDeps): Promise<number> => {
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
};
