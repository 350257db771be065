// What the reading pane asks about the calendar data of a conversation: which mails have some, which of their files a
// card stands for, and the cards. Reading it is the calendar's work.
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

/** Mails of the conversation whose calendar data matters: of folded ones their summary tells. */
const calendarMails = (rows: readonly MailRowData[], wholes: ReadonlyMap<string, WholeMail>): string[] =>
  rows.flatMap(({ mail, opened }) => {
    const whole = wholes.get(mail.id);
    return (whole === undefined ? opened.summary.invite : hasCalendar(whole)) ? [mail.id] : [];
  });

/** A message without the calendar files that its card stands for. */
export function withoutCardFiles(view: MessageView, invites: readonly MailInvite[]): MessageView {
  const files = invites.find(({ mailId }) => mailId === view.id)?.files ?? [];
  if (files.length === 0) return view;
  const hidden = new Set(files.map(attachmentId));
  return { ...view, attachments: view.attachments.filter(({ id }) => !hidden.has(id)) };
}

/** The invitations of the open conversation, and the card of a message that carries one. */
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
