// Builds the view of a list row from a message and its decrypted summary. Texts for empty fields
// are in docs/interface.md#states.
import type { Email, Tag } from '@keyfold/contract';
import { UNREADABLE_MAIL } from '@keyfold/contract/unreadable';
import { formatMessageDate } from '../../../lib/dates.ts';
import { t, tAs, term } from '../../../lib/language.ts';
import { joinParts } from '../../../lib/words.ts';
import { bounceSnippet, bounceSubject } from './bounce-subject.ts';
import type { MailRowData } from './mail-cache.ts';
import { placeOf } from './mail-places.ts';
import type { MailRowView, PersonView, RowActivity, Seal } from './view-model.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Placeholder texts of a draft that has only an attachment so far (docs/spec-map.md 4.08). */
export const placeholderWords = {
  title: term('Attachment saved'),
  text: term('This draft was generated from uploading an attachment'),
} as const;

const namesOf = (people: readonly PersonView[]): string =>
  people.length === 0 ? t('(No recipient)') : joinParts(people.map(({ name, address }) => name || address));

function sealOf({ mail, opened }: MailRowData): Seal {
  if (opened.failed !== null) return 'failed';
  // Two copies of one scheduled message wait side by side and name the same people.
  if (mail.scheduled && !mail.public) return 'known';
  return mail.public || mail.alert || mail.draft ? 'outside' : 'sealed';
}

/** Returns the whole days until a deleted message is purged, or null when it is not deleted. */
export const daysLeftOf = (deletedAt: string | null, now: Date): number | null =>
  deletedAt === null ? null : Math.max(0, Math.ceil((Date.parse(deletedAt) - now.getTime()) / DAY_MS));

/**
 * Returns the note before the snippet: the days left of a deleted message, the end of a snooze, or
 * that a snooze has just ended.
 */
function noteOf(mail: Email, now: Date): { readonly note?: string } {
  if (mail.deleted) {
    const days = daysLeftOf(mail.deleted_at, now);
    return days === null
      ? {}
      : { note: t('{count, plural, one {# day left} other {# days left}}', { count: days }) };
  }
  if (mail.scheduled && mail.send_at !== null) {
    const time = formatMessageDate(new Date(mail.send_at), now);
    return {
      note: mail.public ? t('Sends {time}, not end-to-end encrypted', { time }) : t('Sends {time}', { time }),
    };
  }
  if (mail.snoozed_until === null) return {};
  const until = new Date(mail.snoozed_until);
  if (mail.snoozed) return { note: t('Until {time}', { time: formatMessageDate(until, now) }) };
  // Shown after a snooze has ended, until the message is read.
  return !mail.read && until <= now ? { note: tAs('note', 'Snoozed') } : {};
}

/** The specification's texts for messages that did not open (docs/spec-map.md 5, 8). */
const failures: ReadonlySet<string> = new Set([
  term('Failed to decrypt message for self'),
  term('Missing salt'),
  term('Missing second stage key'),
]);

/** Returns the user-facing reason why a message did not open, or null when it did. */
export function failureOf(failed: string | null): string | null {
  if (failed === null) return null;
  if (failed === UNREADABLE_MAIL) return t('This message couldn’t be read');
  return failures.has(failed) ? t(failed) : t('Failed to decrypt message');
}

/**
 * The sender of a notice of this service, whatever its From field says: only the service can write
 * notices.
 */
export const serviceItself: PersonView = { name: 'Keyfold', address: '' };

/**
 * Returns the people a row names: the sender, or the recipients when it is the user's own message
 * in a list of received ones.
 */
export function peopleOf({ fromName, fromAddress, isTo = false }: MailRowView): string {
  const people = fromName || fromAddress || t('(No recipient)');
  return isTo ? t('To: {people}', { people }) : people;
}

/** Builds the row of a message. Tags that the user no longer has are gray (docs/spec-map.md 3). */
function toRowView(
  row: MailRowData,
  tags: readonly Tag[],
  now: Date,
  isMixed: boolean,
  activity: RowActivity = 'none',
): MailRowView {
  const { mail, opened } = row;
  const { summary } = opened;
  const isPlaceholder = opened.kind === 'placeholder';
  const isOutgoing = !mail.alert && (mail.sent || mail.draft);
  const from = mail.alert ? serviceItself : summary.from;
  // The texts of our own notices are translated (notice-words.ts).
  const said = (words: string) => (mail.alert ? t(words) : words);
  const isFromServer = /^mailer-daemon@/i.test(summary.from?.address ?? '');
  const subject = isFromServer ? bounceSubject(summary.subject) : said(summary.subject);
  const snippet = isFromServer ? bounceSnippet(summary.snippet) : said(summary.snippet);
  return {
    id: mail.id,
    threadId: mail.thread_id,
    threadCount: mail.thread_count ?? 1,
    fromName: isOutgoing ? namesOf(summary.to) : from.name || from.address || t('Unknown sender'),
    fromAddress: isOutgoing ? (summary.to[0]?.address ?? '') : from.address,
    ...(isMixed && isOutgoing && summary.to.length > 0 ? { isTo: true } : {}),
    isNobody: isOutgoing ? summary.to.length === 0 : !(from.name || from.address),
    subject: isPlaceholder ? t(placeholderWords.title) : subject,
    snippet: isPlaceholder ? t(placeholderWords.text) : (failureOf(opened.failed) ?? snippet),
    date: mail.received_at,
    unread: !mail.read && !isOutgoing,
    starred: mail.starred,
    attachmentCount: summary.attachments || mail.attachments.length,
    ...(mail.thread_files ? { threadHasFiles: true } : {}),
    tags: mail.tags.map(name => ({ name, color: tags.find(tag => tag.name === name)?.color ?? 'gray' })),
    sealed: sealOf(row),
    alert: mail.alert,
    place: placeOf(mail),
    activity,
    ...noteOf(mail, now),
  };
}

type KeptView = {
  readonly tags: readonly Tag[];
  readonly hour: number;
  readonly isMixed: boolean;
  readonly view: MailRowView;
};

/**
 * Minimum number of views that are cached: more than are ever drawn at once, and far fewer than a
 * list has rows.
 */
const KEPT_AT_LEAST = 200;
/**
 * Rows are immutable, so a changed row is a new object. A view stays valid until the tags, the hour
 * or the kind of list changes.
 */
let kept = new WeakMap<MailRowData, KeptView>();
let keptBefore = kept;
let keptCount = 0;

/**
 * Returns the view of a row. The same row gets the same view as long as it stays in sight.
 * `isMixed`: the list contains sent and received messages.
 */
export function rowViewOf(row: MailRowData, tags: readonly Tag[], now: Date, isMixed: boolean): MailRowView {
  const hour = Math.floor(now.getTime() / (60 * 60 * 1000));
  const known = kept.get(row) ?? keptBefore.get(row);
  const isTrue =
    known !== undefined && known.tags === tags && known.hour === hour && known.isMixed === isMixed;
  const view = isTrue ? known.view : toRowView(row, tags, now, isMixed);
  if (isTrue && kept.has(row)) return view;
  if (keptCount >= KEPT_AT_LEAST) [kept, keptBefore, keptCount] = [new WeakMap(), kept, 0];
  kept.set(row, { tags, hour, isMixed, view });
  keptCount += 1;
  return view;
}
