// The invitation in an opened message: fetches its file if it is in a container, and lets the key
// worker parse it, once per message. The user's answer is not known here.

import { findCalendarFiles } from '@keyfold/mail/ics/find';
import type { Invitation } from '@keyfold/mail/ics/invitation';
import { type QueryClient, useQueries } from '@tanstack/react-query';
import { keys } from '../../crypto/key-client.ts';
import type { ReadInvite } from '../../crypto/mail/invite-reader.ts';
import { readerZone } from '../../lib/wall-time.ts';
import { sendingClient } from '../../session/calls/clients/sending.ts';
import { findUser } from '../../session/state/current-user.ts';
import { type WholeMail, wholeMailQuery } from '../mail/state/queries.ts';
import { isOwnCopy, senderFacts } from './invite-proof.ts';

export type MailInvite = {
  readonly mailId: string;
  readonly messageId: string;
  /** Whether it is the user's own copy of a sent message. */
  readonly isSent: boolean;
  readonly receivedAt: string;
  readonly from: string;
  /** Sealed by its sender, so that it needs an additional proof (invite-proof.ts). */
  readonly needsProof: boolean;
  /** The sender is not authenticated: the message may be from anyone. */
  readonly isDoubtful: boolean;
  readonly read: ReadInvite;
  /** Indexes of the attachments that the card represents. */
  readonly files: readonly number[];
};

type MailFile = WholeMail['content']['parsed']['attachments'][number];

/** Maximum number of files of a message that are checked; real messages have no more. */
const MAX_FILES = 4;

async function bytesOf({ content, external, mimeType }: MailFile): Promise<Uint8Array> {
  if (external === null) return content;
  const answer = (await sendingClient.attachment({ id: external.externalId })) as {
    readonly bytes?: Blob;
  };
  if (answer.bytes === undefined) throw new Error('Failed to connect to the server');
  const file = await keys().openFile(answer.bytes, external.key, mimeType);
  return new Uint8Array(await file.arrayBuffer());
}

const isSameEvent = (one: Invitation, other: Invitation): boolean =>
  one.uid === other.uid &&
  one.sequence === other.sequence &&
  one.recurrenceId?.value === other.recurrenceId?.value;

async function readMail({ mail, content }: WholeMail): Promise<MailInvite | null> {
  const { attachments, from } = content.parsed;
  const places = findCalendarFiles(attachments).slice(0, MAX_FILES);
  const files = places.flatMap(place => attachments[place] ?? []);
  if (files.length === 0) return null;
  const bytes = await Promise.all(files.map(bytesOf));
  const results = await keys().readInvites(
    bytes.map((one, index) => ({ bytes: one, method: files[index]?.method ?? null })),
    readerZone(),
    new Date(),
  );
  const { normalizeAddress } = await import('@keyfold/mail/address-form');
  const best = results.find(one => one.kind === 'read') ?? results[0];
  if (best === undefined) return null;
  const sender = normalizeAddress(from?.address ?? '');
  const user = findUser();
  const isFromSelf = user !== null && [user.email, ...user.addresses].includes(sender);
  const facts = { path: content.path, isFromSelf };
  return {
    mailId: mail.id,
    messageId: mail.message_id,
    isSent: isOwnCopy(mail, facts),
    receivedAt: mail.received_at,
    from: from?.address.toLowerCase() ?? '',
    ...senderFacts(mail, sender, facts),
    read: best,
    // A file that did not become a card stays among the attachments.
    files:
      best.kind === 'refused'
        ? []
        : places.filter((_, index) => {
            const one = results[index];
            return one?.kind === 'read' && isSameEvent(one.invitation, best.invitation);
          }),
  };
}

/** Returns whether an opened message has calendar data at all; cheap. */
export const hasCalendar = ({ content }: WholeMail): boolean =>
  content.failed === null && findCalendarFiles(content.parsed.attachments).length > 0;

export type ConversationInvites = {
  readonly invites: readonly MailInvite[];
  /** Messages whose calendar data is still being fetched or parsed. */
  readonly pending: ReadonlySet<string>;
};

/** The calendar data of one message, parsed once. */
export const inviteQuery = (id: string) => ({
  queryKey: ['invite', id],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ client: cache }: { readonly client: QueryClient }) => ({
    id,
    invite: await readMail(await cache.fetchQuery(wholeMailQuery(id))),
  }),
});

/**
 * Returns the calendar data of these messages, each parsed once. Data that cannot be fetched is
 * left out; its file is still shown.
 */
export function useInvites(mailIds: readonly string[]): ConversationInvites {
  const { invites, isPending } = useQueries({
    queries: mailIds.map(inviteQuery),
    combine: combineInvites,
  });
  return { invites, pending: new Set(mailIds.filter((_, index) => isPending[index])) };
}

type InviteResult = {
  readonly isPending: boolean;
  readonly data?: { readonly id: string; readonly invite: MailInvite | null } | undefined;
};

/** Has a stable identity, so that it runs again only when a result has changed. */
const combineInvites = (results: readonly InviteResult[]) => ({
  invites: results.flatMap(({ data }) => data?.invite ?? []),
  isPending: results.map(({ isPending }) => isPending),
});
