// Connects the reading pane to the calendar: which messages of a conversation contain calendar
// data, which attachments a card replaces, and the cards, whose code is a separate chunk: most
// messages have none. Does not parse calendar data.
import { lazy, type ReactNode, Suspense } from 'react';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { withProof } from '../../calendar/invite-proof.ts';
import { hasCalendar, type MailInvite, useInvites } from '../../calendar/invite-queries.ts';
import type { AttachmentWork } from '../attachments/use-attachments.ts';
import type { MailRowData } from '../state/mail-cache.ts';
import type { WholeMail } from '../state/queries.ts';
import type { MessageView } from '../state/view-model.ts';
import type { OpenConversation } from './conversation/use-open-conversation.ts';
import { attachmentId } from './message-view.ts';

const InviteSlot = lazy(async () => ({
  default: (await loadChunk('invite', () => import('../../calendar/InviteSlot.tsx'))).InviteSlot,
}));

/** Placeholder while the calendar data or the code of the card is loading. */
const skeleton = <Skeleton className="mt-1 mb-3.5 h-40 w-full rounded-card" />;

/**
 * Returns the messages of the conversation with relevant calendar data; for collapsed ones, their
 * summary decides.
 */
const calendarMails = (rows: readonly MailRowData[], wholes: ReadonlyMap<string, WholeMail>): string[] =>
  rows.flatMap(({ mail, opened }) => {
    const whole = wholes.get(mail.id);
    return (whole === undefined ? opened.summary.invite : hasCalendar(whole)) ? [mail.id] : [];
  });

/** Returns a message without the calendar files that its card replaces. */
export function withoutCardFiles(view: MessageView, invites: readonly MailInvite[]): MessageView {
  const files = invites.find(({ mailId }) => mailId === view.id)?.files ?? [];
  if (files.length === 0) return view;
  const hidden = new Set(files.map(attachmentId));
  return { ...view, attachments: view.attachments.filter(({ id }) => !hidden.has(id)) };
}

/**
 * Returns the invitations of the open conversation, and a function that returns a message's card.
 */
export function useReaderInvites(open: OpenConversation, files: AttachmentWork) {
  const { rows, wholes, views, ownAddresses } = open;
  const { invites: found, pending } = useInvites(calendarMails(rows, wholes));
  const proven = new Set(views.filter(view => view.security?.isSenderProven).map(view => view.id));
  const invites = withProof(found, id => proven.has(id));
  const inviteFor = (message: MessageView): ReactNode => {
    const whole = wholes.get(message.id);
    if (whole === undefined || !hasCalendar(whole)) return null;
    const invite = invites.find(one => one.mailId === message.id);
    if (invite === undefined) return pending.has(message.id) ? skeleton : null;
    return (
      <Suspense fallback={skeleton}>
        <InviteSlot
          invite={invite}
          all={invites}
          ownAddresses={ownAddresses}
          isSenderDoubtful={message.security?.kind === 'unproven'}
          onDownload={() => files.save(whole, attachmentId(invite.files[0] ?? 0))}
        />
      </Suspense>
    );
  };
  return { invites, inviteFor };
}
