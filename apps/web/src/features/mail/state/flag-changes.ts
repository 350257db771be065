// Message changes as data: the resulting message, the requests that make the change, and those that
// undo it. Sends no requests. A change is computed per message, so that undo restores each one's
// earlier state.
import type { Email } from '@keyfold/contract';
import { recieved } from '../../../paths.ts';

/** `tags` adds and removes tags by name; `snooze` with null unsnoozes. */
export type FlagChange =
  | { readonly kind: 'read' | 'star' | 'archive' | 'flag'; readonly value: boolean }
  | { readonly kind: 'delete' }
  | { readonly kind: 'restore' }
  | { readonly kind: 'snooze'; readonly until: string | null }
  | { readonly kind: 'tags'; readonly add: readonly string[]; readonly remove: readonly string[] };

/** The fields of a message that a change needs. */
export type MailFlags = Pick<
  Email,
  | 'id'
  | 'read'
  | 'starred'
  | 'archived'
  | 'flagged'
  | 'deleted'
  | 'draft'
  | 'snoozed'
  | 'snoozed_until'
  | 'tags'
>;

/** One request, which is the same for all these messages. */
export type Step = { readonly ids: readonly string[] } & (
  | { readonly kind: 'read' | 'star' | 'archive' | 'flag'; readonly value: boolean }
  | { readonly kind: 'delete'; readonly isForGood: boolean }
  | { readonly kind: 'restore' }
  | { readonly kind: 'snooze'; readonly until: string | null }
  | { readonly kind: 'tags'; readonly tags: readonly string[] }
);

const fields = { read: 'read', star: 'starred', archive: 'archived', flag: 'flagged' } as const;

/** Returns a message's tags after a change, in the order in which they were added. */
export const tagsAfter = (
  tags: readonly string[],
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): string[] => [...tags.filter(name => !remove.includes(name)), ...add.filter(name => !tags.includes(name))];

const sameTags = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every(name => b.includes(name));

/** A message whose snooze has ended keeps the time at which it ended. */
const sleepsUntil = (mail: MailFlags): string | null => (mail.snoozed ? mail.snoozed_until : null);

/**
 * Returns whether deletion is permanent, as for drafts and messages already in Deleted
 * (docs/api-conventions.md).
 */
export const isGoneWhenDeleted = (mail: Pick<Email, 'deleted' | 'draft'>): boolean =>
  mail.deleted || mail.draft;

/** Returns the message after the change. */
export function changed<Mail extends Email>(mail: Mail, change: FlagChange): Mail {
  switch (change.kind) {
    case 'delete':
      return { ...mail, deleted: true };
    case 'restore':
      return { ...mail, deleted: false, deleted_at: null };
    case 'snooze':
      return { ...mail, snoozed: change.until !== null, snoozed_until: change.until };
    case 'tags':
      return { ...mail, tags: tagsAfter(mail.tags, change) };
    default:
      return { ...mail, [fields[change.kind]]: change.value };
  }
}

function isChanged(mail: MailFlags, change: FlagChange): boolean {
  switch (change.kind) {
    case 'delete':
      return true;
    case 'restore':
      return mail.deleted;
    case 'snooze':
      return sleepsUntil(mail) !== change.until;
    case 'tags':
      return !sameTags(mail.tags, tagsAfter(mail.tags, change));
    default:
      return mail[fields[change.kind]] !== change.value;
  }
}

/** Groups messages by value, each group in the order of the messages. */
function grouped<Value>(
  mails: readonly MailFlags[],
  pick: (mail: MailFlags) => Value,
): { readonly value: Value; readonly ids: string[] }[] {
  const groups = new Map<string, { value: Value; ids: string[] }>();
  for (const mail of mails) {
    const value = pick(mail);
    const key = JSON.stringify(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { value, ids: [mail.id] });
    else group.ids.push(mail.id);
  }
  return [...groups.values()];
}

const idsOf = (mails: readonly MailFlags[]): string[] => mails.map(mail => mail.id);
const notEmpty = (step: Step): boolean => step.ids.length > 0;

/**
 * Returns the requests that make the change. Messages that already have the resulting state are
 * skipped. Without the user's consent to permanent deletion (`mayPurge`), drafts are moved to
 * Deleted too.
 */
export function stepsOf(mails: readonly MailFlags[], change: FlagChange, mayPurge = true): Step[] {
  const affected = mails.filter(mail => isChanged(mail, change));
  if (change.kind === 'delete')
    return grouped(affected, mail => mayPurge && isGoneWhenDeleted(mail)).map(({ value, ids }) => ({
      kind: 'delete',
      isForGood: value,
      ids,
    }));
  if (change.kind !== 'tags') return [{ ...change, ids: idsOf(affected) }].filter(notEmpty);
  return grouped(affected, mail => tagsAfter(mail.tags, change)).map(({ value, ids }) => ({
    kind: 'tags',
    tags: value,
    ids,
  }));
}

/**
 * Returns the requests that undo the change, from the messages as they were before it. Empty when
 * nothing can be undone.
 */
export function inverseSteps(before: readonly MailFlags[], change: FlagChange, mayPurge = true): Step[] {
  const affected = before.filter(mail => isChanged(mail, change));
  switch (change.kind) {
    case 'delete':
      return [
        {
          kind: 'restore' as const,
          ids: idsOf(affected.filter(mail => !mail.deleted && !(mayPurge && mail.draft))),
        },
      ].filter(notEmpty);
    case 'restore':
      // Drafts also go back to Deleted, not permanently.
      return [{ kind: 'delete' as const, isForGood: false, ids: idsOf(affected) }].filter(notEmpty);
    case 'snooze':
      return grouped(affected, sleepsUntil).map(({ value, ids }) => ({
        kind: 'snooze',
        until: value,
        ids,
      }));
    case 'tags':
      return grouped(affected, mail => [...mail.tags]).map(({ value, ids }) => ({
        kind: 'tags',
        tags: value,
        ids,
      }));
    default:
      return [{ kind: change.kind, value: !change.value, ids: idsOf(affected) }].filter(notEmpty);
  }
}

/**
 * Returns whether a message stays in a list after a change. A filter by read state keeps it until
 * the list is fetched again.
 */
export function staysIn(word: string, mail: Email, { kind }: FlagChange): boolean {
  switch (kind) {
    case 'delete':
      return false;
    case 'restore':
      return word !== 'deleted';
    case 'archive':
      return word === 'archived' ? mail.archived : word !== recieved || !mail.archived;
    case 'star':
      return word !== 'starred' || mail.starred;
    case 'flag':
      return word === 'flagged' ? mail.flagged : !(mail.flagged && (word === recieved || word === 'all'));
    case 'snooze':
      return word === 'snoozed' ? mail.snoozed : !(mail.snoozed && word === recieved);
    default:
      return true;
  }
}
