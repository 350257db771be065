// Builds one sentence per row for screen readers, with everything that the row shows by position,
// weight and icons.
import { t, term } from '../../../lib/language.ts';
import { joinParts } from '../../../lib/words.ts';
import { peopleOf } from '../state/row-view.ts';
import type { MailRowView } from '../state/view-model.ts';

const activities = {
  pending: term('updating'),
  sending: term('sending'),
  waiting: term('waiting for connection'),
  unsent: term('not sent'),
} as const;

/**
 * Returns the label, as in "Unread. Ines Almeida, Lisbon offsite, 3 messages, 09:41, 2 attachments,
 * end-to-end encrypted, tags Work".
 */
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
        ? t('has attachments')
        : '',
    row.sealed === 'failed' ? t('couldn’t be decrypted') : '',
    row.sealed === 'failed' ? t('sender and subject can’t be confirmed') : '',
    row.sealed === 'known' ? t('end-to-end encrypted') : '',
    row.alert ? t('notice') : '',
    row.starred ? t('starred') : '',
    row.activity === 'none' ? '' : t(activities[row.activity]),
    row.tags.length > 0 ? t('tagged {names}', { names: joinParts(row.tags.map(tag => tag.name)) }) : '',
  ];
  const text = joinParts(parts);
  return row.unread ? t('Unread. {text}', { text }) : text;
}
