// What the reading pane asks about the calendar data of a conversation: which mails have some, and which of their files a
// card stands for. Reading it is the calendar's work.
import { hasCalendar, type MailInvite } from '../../calendar/invite-queries.ts';
import type { MailRowData } from '../state/mail-cache.ts';
import type { WholeMail } from '../state/queries.ts';
import type { MessageView } from '../state/view-model.ts';
import { attachmentId } from './message-view.ts';

/** Mails of the conversation whose calendar data matters: of folded ones their summary tells. */
export const calendarMails = (
  rows: readonly MailRowData[],
  wholes: ReadonlyMap<string, WholeMail>,
): string[] =>
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
