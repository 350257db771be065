/** Converts the open conversation to the form that the reader shows. */
import { t } from '../../../../lib/language.ts';
import type { MailInvite } from '../../../calendar/invite-queries.ts';
import { type AttachmentWork, withStates } from '../../attachments/use-attachments.ts';
import { bounceSubject } from '../../state/bounce-subject.ts';
import type { MailRowData } from '../../state/mail-cache.ts';
import { placeOf } from '../../state/mail-places.ts';
import type { WholeMail } from '../../state/queries.ts';
import { daysLeftOf } from '../../state/row-view.ts';
import type { ConversationView } from '../../state/view-model.ts';
import { withoutCardFiles } from '../reader-invites.tsx';
import type { OpenConversation } from './use-open-conversation.ts';

/** Returns the subject of a message, or an empty string. */
export function subjectOf(row: MailRowData, wholes: ReadonlyMap<string, WholeMail>): string {
  const subject = wholes.get(row.mail.id)?.content.parsed.subject ?? row.opened.summary.subject;
  // Notices from this service have subjects that are translated (notice-words.ts).
  return row.mail.alert ? t(subject) : bounceSubject(subject);
}

/** Returns the view of the conversation, described by the message that was opened. */
export function toConversationView(
  first: MailRowData,
  { wholes, views, user }: Pick<OpenConversation, 'wholes' | 'views' | 'user'>,
  invites: readonly MailInvite[],
  files: AttachmentWork,
): Omit<ConversationView, 'id'> {
  return {
    subject: subjectOf(first, wholes),
    isSubjectUnproven: (wholes.get(first.mail.id)?.content ?? first.opened).failed !== null,
    tags: first.mail.tags.map(name => ({
      name,
      color: user?.tags.find(tag => tag.name === name)?.color ?? 'gray',
    })),
    starred: first.mail.starred,
    place: placeOf(first.mail),
    unread: !first.mail.read,
    messages: views.map(view => {
      const shown = withoutCardFiles(view, invites);
      return { ...shown, attachments: withStates(view.id, shown.attachments, files) };
    }),
    daysLeft: first.mail.deleted ? daysLeftOf(first.mail.deleted_at, new Date()) : null,
  };
}
