/**
 * Changes to a message before it is sent: new content, adding or removing a container. Updates
 * sizes, counters and the attachment flag. Checks here that a message is a draft and belongs to the
 * user; features/outbound/drafts handles sealing and quota.
 */
import { AppError } from '@keyfold/contract/errors';
import { FLAG_BITS, hasFlag, withFlag } from '../../../base/flags.ts';
import type { Trx } from '../../../db/pool.ts';
import { addToSize, countTagBuckets, rewriteMail, updateMasks } from './change-store.ts';
import {
  type Container,
  containersOf,
  deleteReference,
  insertReferences,
  lockContainers,
} from './container-store.ts';
import { lockMails } from './flag-changes.ts';
import { type NewMail, sizeOf } from './new-mail.ts';
import { peopleOf } from './people.ts';
import { ALL_MAILS, changeCounts, touchMailbox } from './store.ts';
import { threadFor } from './threads.ts';

/**
 * Locks the mailbox and returns the draft's mask and size. Throws not_found, or draft_refused for a
 * message that is not a draft.
 */
export async function lockDraft(trx: Trx, userId: string, draftId: string) {
  const [draft] = await lockMails(trx, userId, [draftId]);
  if (draft === undefined) throw new AppError('not_found');
  if (!hasFlag(draft.flags, 'draft')) throw new AppError('draft_refused');
  return draft;
}

async function moveCounters(trx: Trx, userId: string, id: string, from: number, to: number): Promise<void> {
  const tags = await countTagBuckets(trx, userId, [id]);
  await changeCounts(
    trx,
    userId,
    [{ tag_id: ALL_MAILS, total: 1 }, ...tags].flatMap(({ tag_id, total }) => [
      { tagId: tag_id, flags: from, change: -total },
      { tagId: tag_id, flags: to, change: total },
    ]),
  );
}

/**
 * Replaces a draft's content and sets the new message's time; its id, containers and user-set flags
 * stay. A draft in Deleted is restored, because otherwise the new text would be purged with it.
 * Throws not_found or draft_refused.
 */
export async function replaceDraft(trx: Trx, draftId: string, mail: NewMail): Promise<void> {
  const draft = await lockDraft(trx, mail.userId, draftId);
  const containers = await containersOf(trx, mail.userId, draftId);
  const sizeBytes = sizeOf({ ...mail, attachments: containers });
  const flags = withFlag(draft.flags | mail.flags, 'deleted', false);
  await moveCounters(trx, mail.userId, draftId, draft.flags, flags);
  const threadId = await threadFor(trx, mail);
  await rewriteMail(trx, draftId, { ...mail, flags, threadId, people: peopleOf(mail.headers) }, sizeBytes);
  await touchMailbox(trx, mail.userId, sizeBytes - draft.size_bytes);
}

/** Adds a stored container to a draft. Throws not_found or draft_refused. */
export async function addContainer(
  trx: Trx,
  userId: string,
  draftId: string,
  container: Container,
): Promise<void> {
  const draft = await lockDraft(trx, userId, draftId);
  await lockContainers(trx, [container.blobId]);
  await insertReferences(trx, userId, draftId, [container]);
  await settleContainers(trx, userId, draft, container.sizeBytes, true);
}

/** Removes a container from a draft. Throws not_found or draft_refused. */
export async function removeContainer(
  trx: Trx,
  userId: string,
  draftId: string,
  blobId: string,
): Promise<void> {
  const draft = await lockDraft(trx, userId, draftId);
  const sizeBytes = await deleteReference(trx, userId, draftId, blobId);
  if (sizeBytes === null) throw new AppError('not_found');
  const left = await containersOf(trx, userId, draftId);
  await settleContainers(trx, userId, draft, -sizeBytes, left.length > 0);
}

async function settleContainers(
  trx: Trx,
  userId: string,
  draft: { readonly id: string; readonly flags: number },
  addedBytes: number,
  hasContainers: boolean,
): Promise<void> {
  const flags = withFlag(draft.flags, 'attachment', hasContainers);
  if (flags !== draft.flags) {
    await moveCounters(trx, userId, draft.id, draft.flags, flags);
    const bit = FLAG_BITS.attachment;
    const change = hasContainers ? { set: bit, clear: 0 } : { set: 0, clear: bit };
    await updateMasks(trx, userId, [draft.id], change);
  }
  await addToSize(trx, userId, draft.id, addedBytes);
  await touchMailbox(trx, userId, addedBytes);
}
