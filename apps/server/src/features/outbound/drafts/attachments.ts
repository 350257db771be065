/**
 * Encrypted blobs of drafts over HTTP: upload, download with Range, removal (docs/spec-map.md 7.49,
 * docs/wire-format.md#attachments). A user who has a message that refers to a blob may read it. For
 * anyone else it does not exist.
 */
import { AppError } from '@keyfold/contract/errors';
import { hasFlag } from '../../../base/flags.ts';
import type { RequestContext, SentFile } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { isUuid } from '../../../db/uuid.ts';
import { getFreeBytes } from '../../accounts/users/index.ts';
import {
  addContainer,
  type Container,
  discardContainer,
  findReferringMails,
  lockDraft,
  lockMailboxes,
  removeContainer,
  storeContainer,
} from '../../mailbox/messages/index.ts';
import { checkedContainer } from './container-check.ts';
import { requireRoom } from './service.ts';

/**
 * Stores an uploaded blob in a draft. Throws malformed when there is no file, not_found or
 * draft_refused for the draft, and message_refused, too_large or quota_exceeded. In these cases
 * nothing is kept.
 */
export async function uploadToDraft(
  deps: Deps,
  userId: string,
  draftId: string,
  file: RequestContext['file'],
): Promise<Container> {
  if (file === undefined) throw new AppError('malformed');
  await deps.db.transaction().execute(trx => lockDraft(trx, userId, draftId));
  const freeBytes = await getFreeBytes(deps.db, userId);
  if (freeBytes <= 0) throw new AppError('quota_exceeded');
  const container = await storeContainer(deps, checkedContainer(file, freeBytes));
  try {
    // During the upload, the draft may have been sent and the quota used up.
    await deps.db.transaction().execute(async trx => {
      await lockMailboxes(trx, [userId]);
      await requireRoom(trx, userId, container.sizeBytes);
      await addContainer(trx, userId, draftId, container);
    });
  } catch (error) {
    await discardContainer(deps, container.blobId);
    throw error;
  }
  return container;
}

/** Returns a blob that one of the user's messages refers to. Throws not_found. */
export async function getAttachment(deps: Deps, userId: string, id: string): Promise<SentFile> {
  if (!isUuid(id)) throw new AppError('not_found');
  const [first] = await findReferringMails(deps.db, userId, id);
  if (first === undefined) throw new AppError('not_found');
  return { sizeBytes: first.size_bytes, open: range => deps.blobs.get(id, range) };
}

/**
 * Removes a blob from the user's drafts. Throws not_found, or draft_refused when only messages
 * other than drafts refer to it.
 */
export async function removeAttachment(deps: Deps, userId: string, id: string): Promise<void> {
  if (!isUuid(id)) throw new AppError('not_found');
  await deps.db.transaction().execute(async trx => {
    await lockMailboxes(trx, [userId]);
    const mails = await findReferringMails(trx, userId, id);
    if (mails.length === 0) throw new AppError('not_found');
    const drafts = mails.filter(mail => hasFlag(mail.flags, 'draft'));
    if (drafts.length === 0) throw new AppError('draft_refused');
    for (const draft of drafts) await removeContainer(trx, userId, draft.id, id);
  });
}
