// Evaluates conditions that no index covers against a server row: state, folder, tags, size.
import type { Condition } from './query.ts';

/** The facts of a row, under their wire names. */
export type RowFacts = {
  readonly sent: boolean;
  readonly read: boolean;
  readonly starred: boolean;
  readonly flagged: boolean;
  readonly archived: boolean;
  readonly deleted: boolean;
  readonly draft: boolean;
  readonly snoozed: boolean;
  readonly scheduled: boolean;
  readonly size: number;
  readonly tags: readonly string[];
  readonly attachments: readonly unknown[];
};

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * Reports whether the message is in a folder, matched by the words of its path. A word that is not
 * a folder is a tag.
 */
export function isIn(place: string, row: RowFacts): boolean {
  const isLaidAside = row.deleted || row.flagged || row.draft;
  switch (place) {
    case 'all':
      return true;
    case 'recieved':
      return !(isLaidAside || row.sent || row.archived || row.snoozed);
    case 'sent':
      return row.sent && !isLaidAside && !row.scheduled;
    case 'scheduled':
      return row.scheduled;
    case 'snoozed':
      return row.snoozed && !row.deleted;
    case 'drafts':
      return row.draft && !row.deleted;
    case 'starred':
      return row.starred && !row.deleted && !row.flagged;
    case 'archived':
      return row.archived && !isLaidAside;
    case 'flagged':
      return row.flagged && !row.deleted;
    case 'deleted':
      return row.deleted;
    default:
      return row.tags.some(name => sameName(name, place));
  }
}

/** Whether a row fulfills a condition; null for one that the index has to answer. */
export function matchesRow(condition: Condition, row: RowFacts): boolean | null {
  switch (condition.kind) {
    case 'is':
      if (condition.state === 'unread') return !row.read;
      return row[condition.state];
    case 'in':
      return isIn(condition.place, row);
    case 'tag':
      return row.tags.some(name => sameName(name, condition.name));
    case 'size':
      return row.size >= condition.min && (condition.max === null || row.size < condition.max);
    default:
      return null;
  }
}
