// What a row of the list shows, made of a mail and its opened summary. Words of empty fields are ux 2.4's.
import type { Tag } from '@keyfold/contract';
import type { MailRowData } from './mail-cache.ts';
import type { MailRowView, PersonView, RowActivity, Seal } from './view-model.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Texts of a draft that only holds a file yet (Spec §4). */
export const placeholderWords = {
  title: 'Attachment saved',
  text: 'This draft was generated from uploading an attachment',
} as const;

const namesOf = (people: readonly PersonView[]): string =>
  people.length === 0 ? '(No recipient)' : people.map(({ name, address }) => name || address).join(', ');

const sealOf = ({ mail, opened }: MailRowData): Seal => {
  if (opened.failed !== null) return 'failed';
  return mail.public || mail.alert || mail.draft ? 'outside' : 'sealed';
};

/** Whole days until a deleted mail is gone, or null when it is not deleted. */
export const daysLeftOf = (deletedAt: string | null, now: Date): number | null =>
  deletedAt === null ? null : Math.max(0, Math.ceil((Date.parse(deletedAt) - now.getTime()) / dayMs));

const noteOf = (days: number | null): { readonly note?: string } =>
  days === null ? {} : { note: days === 1 ? '1 day left' : `${days} days left` };

/** The row of a mail. Tags that the user no longer has are gray (Spec §3). */
export function toRowView(
  row: MailRowData,
  tags: readonly Tag[],
  now: Date,
  activity: RowActivity = 'none',
): MailRowView {
  const { mail, opened } = row;
  const { summary } = opened;
  const isPlaceholder = opened.kind === 'placeholder';
  const isOutgoing = mail.sent || mail.draft;
  return {
    id: mail.id,
    threadId: mail.thread_id,
    threadCount: mail.thread_count ?? 1,
    fromName: isOutgoing
      ? namesOf(summary.to)
      : summary.from.name || summary.from.address || 'Unknown sender',
    fromAddress: isOutgoing ? (summary.to[0]?.address ?? '') : summary.from.address,
    subject: isPlaceholder ? placeholderWords.title : summary.subject,
    snippet: isPlaceholder ? placeholderWords.text : (opened.failed ?? summary.snippet),
    date: mail.received_at,
    unread: !mail.read && !isOutgoing,
    starred: mail.starred,
    attachmentCount: summary.attachments || mail.attachments.length,
    tags: mail.tags.map(name => ({ name, color: tags.find(tag => tag.name === name)?.color ?? 'gray' })),
    sealed: sealOf(row),
    alert: mail.alert,
    activity,
    ...noteOf(mail.deleted ? daysLeftOf(mail.deleted_at, now) : null),
  };
}
