// One sentence per row for screen readers: everything the row shows by position, weight and icons.
import { t, term } from '../../../lib/language.ts';
import { peopleOf } from '../state/row-view.ts';
import type { MailRowView } from '../state/view-model.ts';

const activities = {
  pending: term('being changed'),
  sending: term('being sent'),
  waiting: term('waiting for a connection'),
  unsent: term('not sent'),
} as const;

/** As in "Unread. Ines Almeida, Lisbon offsite, 3 messages, 09:41, 2 attachments, end-to-end encrypted, tags Work". */
export function rowLabel(row: MailRowView, dateText: string): string {
  const parts = [
    peopleOf(row),
    row.subject || t('(No subject)'),
    row.threadCount > 1
      ? t('{count, plural, one {# message} other {# messages}}', { count: row.threadCount })
      : '',
    dateText,
    row.note ?? '',
    row.attachmentCount > 0
      ? t('{count, plural, one {# attachment} other {# attachments}}', { count: row.attachmentCount })
      : row.threadHasFiles
        ? t('with attachments')
        : '',
    row.sealed === 'failed' ? t('could not be decrypted') : '',
    row.sealed === 'failed' ? t('Nothing proves who sent this and what its subject is') : '',
    row.sealed === 'known' ? t('end-to-end encrypted') : '',
    row.alert ? t('notice') : '',
    row.starred ? t('starred') : '',
    row.activity === 'none' ? '' : t(activities[row.activity]),
    row.tags.length > 0 ? t('tags {names}', { names: row.tags.map(tag => tag.name).join(', ') }) : '',
  ];
  const text = parts.filter(Boolean).join(t(', '));
  return row.unread ? t('Unread. {text}', { text }) : text;
}
