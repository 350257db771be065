// One sentence per row for screen readers: everything the row shows by position, weight and icons.
import { plural } from '../../lib/words.ts';
import type { MailRowView } from './view-model.ts';

const activities = {
  none: '',
  pending: 'being changed',
  sending: 'being sent',
  waiting: 'waiting for a connection',
  unsent: 'not sent',
} as const;

/** As in "Unread. Ines Almeida, Lisbon offsite, 3 messages, 09:41, 2 attachments, end-to-end encrypted, tags Work". */
export function rowLabel(row: MailRowView, dateText: string): string {
  const parts = [
    row.fromName || row.fromAddress,
    row.subject || '(No subject)',
    row.threadCount > 1 ? plural(row.threadCount, 'message') : '',
    dateText,
    row.note ?? '',
    row.attachmentCount > 0 ? plural(row.attachmentCount, 'attachment') : '',
    row.sealed === 'failed' ? 'could not be decrypted' : '',
    row.sealed === 'known' ? 'end-to-end encrypted' : '',
    row.alert ? 'notice' : '',
    row.starred ? 'starred' : '',
    activities[row.activity],
    row.tags.length > 0 ? `tags ${row.tags.map(tag => tag.name).join(', ')}` : '',
  ];
  return `${row.unread ? 'Unread. ' : ''}${parts.filter(Boolean).join(', ')}`;
}
