// Connects the reading pane to the calendar: which messages of a conversation contain calendar
// data, which attachments a card replaces, and the cards. Does not parse calendar data.
import type { ReactNode } from 'react';
import { withProof } from '../../calendar/invite-proof.ts';
import { hasCalendar, type MailInvite, useInvites } from '../../calendar/invite-queries.ts';
import { InviteSkeleton, LazyInviteSlot } from '../../calendar/LazyInviteSlot.tsx';
import type { AttachmentWork } from '../attachments/use-attachments.ts';
import type { MailRowData } from '../state/mail-cache.ts';
import type { WholeMail } from '../state/queries.ts';
import type { MessageView } from '../state/view-model.ts';
import type { OpenConversation } from './conversation/use-open-conversation.ts';
import { attachmentId } from './message-view.ts';

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
    if (invite === undefined) return pending.has(message.id) ? <InviteSkeleton /> : null;
    return (
      <LazyInviteSlot
        invite={invite}
        all={invites}
        ownAddresses={ownAddresses}
        isSenderDoubtful={message.security?.kind === 'unproven'}
        onDownload={() => files.save(whole, attachmentId(invite.files[0] ?? 0))}
      />
    );
  };
  return { invites, inviteFor };
}
