/**
 * Seals requests that are ready to go, each under a key of its own, so that a retry never sends twice. What waits for a
 * connection can be kept as it is and posted later: nothing in it needs the draft any more.
 */
import type { MessageRecipient } from '../../../crypto/mail/outgoing-message.ts';
import { sendingClient } from '../../../session/calls/clients/sending.ts';
import { sealToPinned } from '../../../session/trust/recipient-keys.ts';
import { type DraftState, filesInUse } from './draft-state.ts';
import { toSentMessage } from './message-body.ts';

export type SealedRequest = Parameters<typeof sendingClient.send_private>[0];

/** A sealed request and the key under which the server knows it. */
export type SealedSend = { readonly request: SealedRequest; readonly key: string };

/** What somebody wants with Send. */
export type SendRequest = {
  /** With 2, people with keys and people without get a message of their own. */
  readonly copies: 1 | 2;
  /** At once when null. */
  readonly at: Date | null;
};

/** When a letter goes out. */
export type SendTiming = {
  /** ISO time; at once when absent. */
  readonly sendAt?: string | undefined;
  /** Seconds for which it can be recalled. */
  readonly undoSeconds: number;
};

/** Fields of an answer, for drafts and sends. */
export const answerFields = (draft: DraftState) => ({
  ...(draft.inReplyTo === null ? {} : { in_reply_to: draft.inReplyTo }),
  ...(draft.references.length === 0 ? {} : { references: [...draft.references] }),
  ...(draft.signatureId === null ? {} : { signature_id: draft.signatureId }),
});

/** Seals one copy of a letter for these people; `siblingId` is the copy that was sent before. */
export async function sealRequest(
  draft: DraftState,
  people: readonly MessageRecipient[],
  draftId: string | undefined,
  timing: SendTiming,
  siblingId: string | undefined,
): Promise<SealedRequest> {
  const message = { ...toSentMessage(draft), date: timing.sendAt };
  const sealed = await sealToPinned(draft.handle, message, people);
  const isPlain = sealed.encryption_key !== undefined;
  const fileIds = filesInUse(draft).flatMap(({ stored }) => (stored === null ? [] : [stored.id]));
  return {
    used_address: draft.from.address,
    ...answerFields(draft),
    // The real subject is inside; it shows only where the outside has to read it anyway (docs/interpretations.md#16).
    subject: isPlain ? draft.subject.slice(0, 998) : '[...]',
    body: sealed.body,
    summary: sealed.summary,
    public_key: sealed.public_key,
    to: [...sealed.to],
    undo_seconds: timing.undoSeconds,
    ...(timing.sendAt === undefined ? {} : { send_at: timing.sendAt }),
    ...(sealed.encryption_key === undefined ? {} : { encryption_key: sealed.encryption_key }),
    // A forward's files are in the mail they come from and never in the draft, saved or not (docs/interpretations.md#24).
    ...(fileIds.length === 0 ? {} : { forwarded_attachments: fileIds }),
    ...(draftId === undefined ? {} : { draft_id: draftId }),
    ...(siblingId === undefined ? {} : { twin: siblingId }),
  };
}

/** Sends a sealed request; the id of the mail, by which it can be recalled. Rejects with CallError. */
export async function postSend({ request, key }: SealedSend): Promise<string> {
  const { data } = await sendingClient.send_private(request, { headers: { 'idempotency-key': key } });
  return data.id;
}
