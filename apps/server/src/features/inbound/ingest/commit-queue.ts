/**
 * Group commit: stores concurrent deliveries in one transaction. One commit that waits for the disk
 * serves many senders, and each sender is acknowledged only after its message is safe. A single
 * delivery is stored at once. A delivery that cannot be stored does not affect the others of its
 * batch.
 */
import { AppError } from '@keyfold/contract/errors';
import { type Db, isUnreachable, type Trx } from '../../../db/pool.ts';
import { usedBytesOf } from '../../accounts/users/index.ts';
import { lockMailboxes, type NewMail, sizeOf, storeMails } from '../../mailbox/messages/index.ts';
import { type Arrival, countArrivals } from '../analytics/index.ts';

/** Maximum copies, and bytes of bodies, per transaction. */
const COPIES_MAX = 64;
const BYTES_MAX = 4 * 1024 * 1024;
/**
 * Maximum concurrent transactions. One is enough for the disk; the others proceed while one waits
 * for a locked mailbox.
 */
const TRANSACTIONS_MAX = 6;
/**
 * A transaction that has waited longer than this for its mailboxes, in milliseconds, no longer
 * delays the next one; nor does one that has held them for longer than the second limit. On a busy
 * machine that is short for a batch, and several small concurrent batches cost more than one large
 * batch.
 */
const PATIENCE_MS = 30;
const LOCKED_PATIENCE_MS = 500;

/** The copies of one message; all are stored or none. */
export type Delivery = {
  readonly mails: readonly NewMail[];
  /** Storage limit of each copy's mailbox, in bytes, in the order of the copies. */
  readonly limitsBytes: readonly number[];
  /** What to count for each stored copy, in the same order; null to count nothing. */
  readonly arrivals?: readonly (Arrival | null)[];
  /** Work for the same transaction, run when this user's copy is new. */
  readonly along?: { readonly userId: string; readonly run: (trx: Trx) => Promise<void> };
};

export type CommitQueue = {
  /**
   * Resolves once the copies are committed. Throws AppError `quota_exceeded` when every recipient
   * is over quota.
   */
  readonly store: (delivery: Delivery) => Promise<void>;
};

type Waiting = {
  readonly delivery: Delivery;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
};

const bytesOf = ({ mails }: Delivery): number => mails.reduce((sum, { body }) => sum + body.length, 0);

/**
 * Stores deliveries in the caller's transaction and returns those whose recipients are all over
 * quota. When at least one recipient of a message has space, all recipients get their copy: SMTP
 * has one reply for all of them, and the excess is at most one message. Calls `onLocked` once it
 * holds the locks of all mailboxes.
 */
async function storeWithRoom(
  trx: Trx,
  deliveries: readonly Delivery[],
  onLocked: () => void = () => undefined,
): Promise<{ readonly refused: ReadonlySet<Delivery>; readonly copies: number }> {
  const userIds = [...new Set(deliveries.flatMap(({ mails }) => mails.map(({ userId }) => userId)))];
  const locked = await lockMailboxes(trx, userIds);
  onLocked();
  const usedBytes = await usedBytesOf(trx, locked);
  const refused = new Set<Delivery>();
  const accepted: NewMail[] = [];
  const along = new Map<NewMail, (trx: Trx) => Promise<void>>();
  const arrivals = new Map<NewMail, Arrival | null | undefined>();
  for (const delivery of deliveries) {
    const { mails, limitsBytes } = delivery;
    const after = mails.map(mail => (usedBytes.get(mail.userId) ?? 0) + sizeOf(mail));
    if (!after.some((bytes, index) => bytes <= (limitsBytes[index] ?? 0))) {
      refused.add(delivery);
      continue;
    }
    mails.forEach((mail, index) => {
      arrivals.set(mail, delivery.arrivals?.[index]);
      usedBytes.set(mail.userId, after[index] ?? 0);
      if (delivery.along?.userId === mail.userId) along.set(mail, delivery.along.run);
    });
    accepted.push(...mails);
  }
  const stored = accepted.length === 0 ? [] : await storeMails(trx, accepted, locked);
  await countArrivals(
    trx,
    stored.flatMap(({ given }) => arrivals.get(given) ?? []),
  );
  for (const { given } of stored) await along.get(given)?.(trx);
  return { refused, copies: stored.length };
}

/**
 * Stores one delivery in its own transaction. Returns the number of copies that were not stored
 * before.
 */
export const storeAlone = (db: Db, delivery: Delivery): Promise<number> =>
  db.transaction().execute(async trx => {
    const { refused, copies } = await storeWithRoom(trx, [delivery]);
    if (refused.size > 0) throw new AppError('quota_exceeded');
    return copies;
  });

export function createCommitQueue(db: Db): CommitQueue {
  const waiting: Waiting[] = [];
  let running = 0;
  /** Running transactions that have not taken long yet. */
  let prompt = 0;

  const takeBatch = (): Waiting[] => {
    let copies = 0;
    let bytes = 0;
    let count = 0;
    for (const { delivery } of waiting) {
      copies += delivery.mails.length;
      bytes += bytesOf(delivery);
      if (count > 0 && (copies > COPIES_MAX || bytes > BYTES_MAX)) break;
      count++;
    }
    return waiting.splice(0, count);
  };

  const storeOneByOne = async (batch: readonly Waiting[]): Promise<void> => {
    for (const { delivery, resolve, reject } of batch) await storeAlone(db, delivery).then(resolve, reject);
  };

  const storeBatch = async (batch: readonly Waiting[], onLocked: () => void): Promise<void> => {
    try {
      const deliveries = batch.map(({ delivery }) => delivery);
      const { refused } = await db.transaction().execute(trx => storeWithRoom(trx, deliveries, onLocked));
      for (const { delivery, resolve, reject } of batch)
        if (refused.has(delivery)) reject(new AppError('quota_exceeded'));
        else resolve();
    } catch (error) {
      // If the connection broke, the commit may have succeeded; a retry could store a message
      // twice.
      if (batch.length > 1 && !isUnreachable(error)) await storeOneByOne(batch);
      else for (const { reject } of batch) reject(error);
    }
  };

  const start = (): void => {
    if (waiting.length === 0 || prompt > 0 || running >= TRANSACTIONS_MAX) return;
    running++;
    prompt++;
    let isLate = false;
    const holdNoLonger = () => {
      isLate = true;
      prompt--;
      start();
    };
    let patience = setTimeout(holdNoLonger, PATIENCE_MS);
    const onLocked = () => {
      if (isLate) return;
      clearTimeout(patience);
      patience = setTimeout(holdNoLonger, LOCKED_PATIENCE_MS);
    };
    void storeBatch(takeBatch(), onLocked).finally(() => {
      clearTimeout(patience);
      running--;
      if (!isLate) prompt--;
      start();
    });
  };

  return {
    store: delivery =>
      new Promise((resolve, reject) => {
        waiting.push({ delivery, resolve, reject });
        start();
      }),
  };
}
