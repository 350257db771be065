/**
 * Takes in mail that clients bring from elsewhere, sealed in the browser (docs/spec-map.md 7.53, docs/api-conventions.md#mail,
 * docs/interpretations.md#26). A batch is stored in one transaction under the mailbox's lock. What the mailbox has already, by
 * Message-ID, sender and date, or what the same import brought before, is left out; so a batch whose answer was lost may be sent
 * again.
 *
 * [Note: Message-ID of an import] The Message-ID stands in the clear header block of every mail (docs/wire-format.md#payload),
 * since conversations hang on it; it is no secret of an imported one either. A message without one gets a keyed hash of itself
 * as its Message-ID in the browser: the same each time, and to the server a random word.
 */
import type { api, InputOf, OutputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { normalizeAddress } from '@keyfold/mail/address-form';
import {
  IMPORT_BATCHES_PER_USER,
  IMPORT_CONTAINER_COUNTED_BYTES,
  IMPORT_CONTAINER_KEPT_MS,
  IMPORT_CONTAINERS_MAX,
} from '../../../base/limits.ts';
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

/** After this the batches that are being stored are done, seconds. */
const RETRY_AFTER_SECONDS = 1;
/** After this the messages of some containers may have come, seconds. */
const RETRY_FULL_SECONDS = 60;

const since = ({ clock }: Deps): Date => new Date(clock.now().getTime() - IMPORT_CONTAINER_KEPT_MS);

type Sorted = {
  readonly results: readonly Outcome[];
  readonly mails: readonly NewMail[];
  readonly missingBytes: number;
};

/** Says of each message what becomes of it. Throws not_found for a container that does not wait for the user's mail. */
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
  // Those that wait for these messages count with them from here on, or go.
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

/** Which containers of a batch's messages a predicate holds for. */
const containersWhere = (
  messages: readonly ReadMessage[],
  results: readonly Outcome[],
  isWanted: (outcome: Outcome) => boolean,
): string[] =>
  messages.flatMap(({ containerIds }, index) => (isWanted(results[index] ?? 'full') ? containerIds : []));

/** How many batches of each user are being stored; throws rate_limited when there are enough. */
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
   * Stores a batch and says of each message what became of it. Containers of messages that were not stored go. Throws
   * message_refused, not_found for containers, keys_replaced, rate_limited; then nothing was stored.
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

  /** Stores a container for a message to come. Throws malformed without a file, message_refused, too_large, quota_exceeded, rate_limited while too many wait. */
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

  /** Which of these messages the user has. What no mail can have as its Message-ID is not asked for. */
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
