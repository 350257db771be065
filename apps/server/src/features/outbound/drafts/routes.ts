/**
 * Handlers for the draft and attachment endpoints of contract group `sending`. For send_private,
 * see features/outbound/sending.
 */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { getAttachment, removeAttachment, uploadToDraft } from './attachments.ts';
import { createEmptyDraft, saveDraft } from './service.ts';

type DraftCalls = Pick<typeof api.sending, 'draft' | 'empty' | 'upload' | 'attachment' | 'remove_attachment'>;

export const draftHandlers = (deps: Deps): Handlers<DraftCalls, RequestContext> => ({
  draft: async (input, context) => ({
    data: { draft_id: await saveDraft(deps, callerOf(context).userId, input, context.idempotencyKey) },
  }),
  empty: async (input, context) => ({
    data: { draft_id: await createEmptyDraft(deps, callerOf(context).userId, input, context.idempotencyKey) },
  }),
  upload: async ({ draft_id }, context) => {
    const { blobId, sizeBytes } = await uploadToDraft(deps, callerOf(context).userId, draft_id, context.file);
    return { data: { id: blobId, size: sizeBytes } };
  },
  attachment: async ({ id }, context) => {
    context.sendFile(await getAttachment(deps, callerOf(context).userId, id));
    return {};
  },
  remove_attachment: async ({ id }, context) => {
    await removeAttachment(deps, callerOf(context).userId, id);
    return { data: {} };
  },
});
