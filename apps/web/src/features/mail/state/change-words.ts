// Names of message changes, for the confirmation toast and for the refusal of a second press.
import { formatMessageDate } from '../../../lib/dates.ts';
import { t } from '../../../lib/language.ts';
import { type FlagChange, isGoneWhenDeleted, type MailFlags } from './flag-changes.ts';
import { effectOfChange, effectTable } from './mail-effects.ts';

/** Returns what was done to `count` conversations, as in "3 conversations archived". */
export function doneText(change: FlagChange, count: number, mails: readonly MailFlags[]): string {
  switch (change.kind) {
    case 'read':
      return change.value
        ? t('{count, plural, one {Conversation marked as read} other {# conversations marked as read}}', {
            count,
          })
        : t('{count, plural, one {Conversation marked as unread} other {# conversations marked as unread}}', {
            count,
          });
    case 'star':
      return change.value
        ? t('{count, plural, one {Conversation starred} other {# conversations starred}}', { count })
        : t('{count, plural, one {Star removed} other {# stars removed}}', { count });
    case 'archive':
      return change.value
        ? t('{count, plural, one {Conversation archived} other {# conversations archived}}', { count })
        : t('{count, plural, one {Conversation moved to Inbox} other {# conversations moved to Inbox}}', {
            count,
          });
    case 'flag':
      return change.value
        ? t('{count, plural, one {Conversation marked as spam} other {# conversations marked as spam}}', {
            count,
          })
        : t(
            '{count, plural, one {Conversation marked as not spam} other {# conversations marked as not spam}}',
            {
              count,
            },
          );
    case 'delete':
      return mails.every(isGoneWhenDeleted)
        ? t('{count, plural, one {Message deleted permanently} other {# messages deleted permanently}}', {
            count,
          })
        : t('{count, plural, one {Conversation deleted} other {# conversations deleted}}', { count });
    case 'restore':
      return t('{count, plural, one {Conversation restored} other {# conversations restored}}', { count });
    case 'snooze':
      return change.until === null
        ? t('{count, plural, one {Conversation moved to Inbox} other {# conversations moved to Inbox}}', {
            count,
          })
        : t(
            '{count, plural, one {Conversation snoozed until {time}} other {# conversations snoozed until {time}}}',
            {
              count,
              time: formatMessageDate(new Date(change.until), new Date()),
            },
          );
    case 'tags':
      return tagsText(change, count);
  }
}

function tagsText({ add, remove }: FlagChange & { kind: 'tags' }, count: number): string {
  const [added, removed] = [add[0], remove[0]];
  if (add.length === 1 && remove.length === 0 && added !== undefined)
    return t('{count, plural, one {Tagged {name}} other {# conversations tagged {name}}}', {
      count,
      name: added,
    });
  if (remove.length === 1 && add.length === 0 && removed !== undefined)
    return t('{count, plural, one {Tag {name} removed} other {Tag {name} removed from # conversations}}', {
      count,
      name: removed,
    });
  return t('{count, plural, one {Tags changed} other {Tags changed on # conversations}}', { count });
}

/**
 * Returns the name of the operation, as in "Archive already in progress"
 * (docs/interpretations.md#37). A change and its opposite share one name.
 */
export function operationName(change: FlagChange): string {
  return 'value' in change && change.kind !== 'flag' ? effectTable[change.kind].label() : changeName(change);
}

/** Returns the label of a change, as in "Move to Inbox: 200 of 2,400". */
export function changeName(change: FlagChange): string {
  return effectTable[effectOfChange(change)].label();
}
