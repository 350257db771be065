/**
 * Seals requests that are ready to send, each under its own idempotency key, so that a retry never
 * sends twice. A request that waits for a connection can be stored and posted later without the
 * draft.
 */
import type { MessageRecipient } from '../../../crypto/mail/outgoing-message.ts';
import { sendingClient } from '../../../session/calls/clients/sending.ts';
import { sealToPinned } from '../../../session/trust/recipient-keys.ts';
import { type DraftState, filesInUse } from './draft-state.ts';
import { toSentMessage } from './message-body.ts';

export type SealedRequest = Parameters<typeof sendingClient.send_private>[0];

/** A sealed request with its idempotency key. */
export type SealedSend = { readonly request: SealedRequest; readonly key: string };

/** The options chosen with Send. */
export type SendRequest = {
  /** With 2, recipients with keys and recipients without keys get separate messages. */
  readonly copies: 1 | 2;
  /** Null sends immediately. */
  readonly at: Date | null;
};

/** When a message is sent. */
export type SendTiming = {
  /** ISO time; sends immediately when absent. */
  readonly sendAt?: string | undefined;
  /** Undo period, in seconds. */
  readonly undoSeconds: number;
};

/** Returns the reply fields of drafts and sends. */
export const answerFields = (draft: DraftState) => ({
  ...(draft.inReplyTo === null ? {} : { in_reply_to: draft.inReplyTo }),
  ...(draft.references.length === 0 ? {} : { references: [...draft.references] }),
  ...(draft.signatureId === null ? {} : { signature_id: draft.signatureId }),
});

/**
 * Seals one copy of a message for these recipients; `siblingId` is the copy that was sent before.
 */
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
    // The real subject is in the sealed part; the outer header has it only where recipients read
    // that anyway (docs/interpretations.md#16).
    subject: isPlain ? draft.subject.slice(0, 998) : '[...]',
    body: sealed.body,
    summary: sealed.summary,
    public_key: sealed.public_key,
    to: [...sealed.to],
    undo_seconds: timing.undoSeconds,
    ...(timing.sendAt === undefined ? {} : { send_at: timing.sendAt }),
    ...(sealed.encryption_key === undefined ? {} : { encryption_key: sealed.encryption_key }),
    // The files of a forward belong to the original message and are never in the draft, whether
    // saved or not (docs/interpretations.md#24).
    ...(fileIds.length === 0 ? {} : { forwarded_attachments: fileIds }),
    ...(draftId === undefined ? {} : { draft_id: draftId }),
    ...(siblingId === undefined ? {} : { twin: siblingId }),
  };
}

/**
 * Sends a sealed request; returns the id of the message, by which it can be recalled. Rejects with
 * CallError.
 */
export async function postSend({ request, key }: SealedSend): Promise<string> {
  const { data } = await sendingClient.send_private(request, { headers: { 'idempotency-key': key } });
  return data.id;
}
