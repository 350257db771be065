/**
 * Imports mail that clients fetch from elsewhere and seal in the browser (docs/spec-map.md 7.53,
 * docs/api-conventions.md#mail, docs/interpretations.md#26). Each batch is stored in one
 * transaction under the mailbox's lock. Messages that the mailbox already has, by Message-ID,
 * sender and date, or that the same import stored before, are skipped. A batch whose response was
 * lost can therefore be resent.
 *
 * [Note: Message-ID of an import] The clear header block of every message contains its Message-ID
 * (docs/wire-format.md#payload), because conversations depend on it; that of an imported message is
 * not secret either. For a message without one, the browser uses a keyed hash of the message: it is
 * always the same, and looks random to the server.
 */
import type { api, InputOf, OutputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { normalizeAddress } from '@keyfold/mail/address-form';
import {
  IMPORT_BATCHES_PER_USER,
  IMPORT_CONTAINER_COUNTED_BYTES,
  IMPORT_CONTAINER_KEPT_MS,
  IMPORT_CONTAINERS_MAX,
} from '../../../base/import-limits.ts';
import type { RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { addressesOf, getFreeBytes, requireKeysInUse } from '../../accounts/users/index.ts';
import { identityOf } from '../../inbound/ingest/index.ts';
import {
  type Container,
  discardContainer,
  findMailsNamed,
  isSameMail,
  lockMailboxes,
  type NewMail,
  sizeOf,
  storeContainer,
  storeMails,
} from '../../mailbox/messages/index.ts';
import { checkedContainer } from '../../outbound/drafts/index.ts';
import { type ReadMessage, readMessage, toImportedMail } from './message.ts';
import { deleteWaiting, findReceipts, findWaiting, insertWaiting, sumWaiting } from './store.ts';

type KnownInput = InputOf<typeof api.imports.known>;
type BatchInput = InputOf<typeof api.imports.seal>;
type BatchAnswer = OutputOf<typeof api.imports.seal>['data'];
type Outcome = BatchAnswer['results'][number];

/** Time after which the batches in progress are done, in seconds. */
const RETRY_AFTER_SECONDS = 1;
/** Time after which the messages of some blobs may have been imported, in seconds. */
const RETRY_FULL_SECONDS = 60;

const since = ({ clock }: Deps): Date => new Date(clock.now().getTime() - IMPORT_CONTAINER_KEPT_MS);

type Sorted = {
  readonly results: readonly Outcome[];
  readonly mails: readonly NewMail[];
  readonly missingBytes: number;
};

/**
 * Determines the outcome of each message. Throws not_found for a blob that is not pending for this
 * user.
 */
async function sortBatch(
  deps: Deps,
  trx: Trx,
  userId: string,
  importId: string,
  messages: readonly ReadMessage[],
): Promise<Sorted> {
  const identities = messages.map(({ clear }) => identityOf(clear));
  const digests = identities.map(({ messageId, fromAddress, date }) =>
    deps.masterKey.digest('import', importId, `${messageId}\n${fromAddress}\n${date ?? ''}`),
  );
  const known = await findMailsNamed(
    trx,
    userId,
    identities.map(({ messageId }) => messageId),
  );
  const brought = await findReceipts(trx, userId, digests);
  const isHere = identities.map((identity, index) => {
    const isKnown =
      known.some(one => isSameMail(one, identity)) || brought.has(digests[index]?.toString('base64') ?? '');
    known.push(identity);
    return isKnown;
  });
  const wanted = messages.flatMap(({ containerIds }, index) => (isHere[index] ? [] : containerIds));
  const waiting = await findWaiting(trx, userId, wanted, since(deps));
  const ownAddresses = await addressesOf(trx, userId);
  // Pending blobs of these messages are from here on either counted with their message or deleted.
  const takenUpBytes = [...waiting.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let freeBytes = (await getFreeBytes(trx, userId)) + takenUpBytes;
  let isFull = false;
  const results: Outcome[] = [];
  const mails: NewMail[] = [];
  for (const [index, message] of messages.entries()) {
    if (isHere[index]) {
      results.push('here');
      continue;
    }
    const attachments = message.containerIds.map(id => {
      const container = waiting.get(id);
      if (container === undefined) throw new AppError('not_found');
      return container;
    });
    const mail = toImportedMail(message, {
      userId,
      hostname: deps.config.hostname,
      ownAddresses,
      now: deps.clock.now(),
      receiptDigest: digests[index] as Buffer,
      attachments,
    });
    freeBytes -= sizeOf(mail);
    isFull ||= freeBytes < 0;
    results.push(isFull ? 'full' : 'stored');
    if (!isFull) mails.push(mail);
  }
  return { results, mails, missingBytes: Math.max(0, -freeBytes) };
}

/** Returns the blobs of the messages in a batch whose outcome satisfies a predicate. */
const containersWhere = (
  messages: readonly ReadMessage[],
  results: readonly Outcome[],
  isWanted: (outcome: Outcome) => boolean,
): string[] =>
  messages.flatMap(({ containerIds }, index) => (isWanted(results[index] ?? 'full') ? containerIds : []));

/** Creates a limiter of concurrent batches per user; it throws rate_limited at the limit. */
function createPlaces() {
  const running = new Map<string, number>();
  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const count = running.get(userId) ?? 0;
    if (count >= IMPORT_BATCHES_PER_USER)
      throw new AppError('rate_limited', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    running.set(userId, count + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(userId) ?? 1) - 1;
      if (left > 0) running.set(userId, left);
      else running.delete(userId);
    }
  };
}

export function createSealedImport(deps: Deps) {
  const inPlace = createPlaces();

  /**
   * Stores a batch and returns the outcome of each message. Deletes blobs of messages that were not
   * stored. Throws message_refused, not_found for blobs, keys_replaced, rate_limited; nothing is
   * stored in these cases.
   */
  const storeBatch = (userId: string, input: BatchInput): Promise<BatchAnswer> =>
    inPlace(userId, async () => {
      const messages = input.messages.map((given, index) => readMessage(given, index, deps.config.hostname));
      const { results, missingBytes, dropped } = await deps.db.transaction().execute(async trx => {
        const locked = await lockMailboxes(trx, [userId]);
        await requireKeysInUse(
          trx,
          userId,
          messages.map(({ keyUsed }) => keyUsed),
        );
        const sorted = await sortBatch(deps, trx, userId, input.import_id, messages);
        await storeMails(trx, sorted.mails, locked);
        const isStored = (outcome: Outcome) => outcome === 'stored';
        await deleteWaiting(trx, userId, containersWhere(messages, sorted.results, isStored));
        const rest = containersWhere(messages, sorted.results, outcome => !isStored(outcome));
        return { ...sorted, dropped: await deleteWaiting(trx, userId, rest) };
      });
      for (const blobId of dropped) await discardContainer(deps, blobId);
      return { results: [...results], missing_bytes: missingBytes };
    });

  /**
   * Stores a blob for a message of a later batch. Throws malformed without a file, message_refused,
   * too_large, quota_exceeded, and rate_limited while too many are pending.
   */
  const storeImportContainer = async (userId: string, file: RequestContext['file']): Promise<Container> => {
    if (file === undefined) throw new AppError('malformed');
    const freeBytes = await getFreeBytes(deps.db, userId);
    if (freeBytes <= 0) throw new AppError('quota_exceeded');
    const container = await storeContainer(deps, checkedContainer(file, freeBytes));
    try {
      await deps.db.transaction().execute(async trx => {
        await lockMailboxes(trx, [userId]);
        const { count, paddingBytes } = await sumWaiting(trx, userId);
        if (count >= IMPORT_CONTAINERS_MAX)
          throw new AppError('rate_limited', { retryAfterSeconds: RETRY_FULL_SECONDS });
        const free = (await getFreeBytes(trx, userId)) - paddingBytes;
        if (free < Math.max(container.sizeBytes, IMPORT_CONTAINER_COUNTED_BYTES))
          throw new AppError('quota_exceeded');
        await insertWaiting(trx, userId, container, deps.clock.now());
      });
    } catch (error) {
      await discardContainer(deps, container.blobId);
      throw error;
    }
    return container;
  };

  /**
   * Returns which of these messages the user already has. Skips the query for values that no
   * message can have as its Message-ID.
   */
  const findKnown = async (userId: string, messages: KnownInput['messages']): Promise<boolean[]> => {
    const identities = messages.map(({ message_id, from, date }) => ({
      messageId: message_id,
      fromAddress: normalizeAddress(from),
      date,
    }));
    const askable = identities
      .map(({ messageId }) => messageId)
      .filter(id => id.isWellFormed() && !id.includes('\0'));
    const known = await findMailsNamed(deps.db, userId, askable);
    return identities.map(identity => known.some(one => isSameMail(one, identity)));
  };

  return { findKnown, storeBatch, storeImportContainer };
}
