// Where a message is, as far as that changes what can be done with it (mail-actions.ts).
import type { Email, FolderName } from '@keyfold/contract';

/** The state of a message, as far as it changes what can be done with it. */
export const places = ['other', 'archived', 'snoozed', 'flagged', 'scheduled', 'draft', 'deleted'] as const;
export type Place = (typeof places)[number];

/** The place of a message. */
export function placeOf(
  mail: Pick<Email, 'deleted' | 'draft' | 'scheduled' | 'flagged' | 'archived' | 'snoozed'>,
): Place {
  if (mail.deleted) return 'deleted';
  if (mail.draft) return 'draft';
  if (mail.scheduled) return 'scheduled';
  if (mail.flagged) return 'flagged';
  if (mail.archived) return 'archived';
  return mail.snoozed ? 'snoozed' : 'other';
}

const placesOfFolders: Readonly<Partial<Record<FolderName, Place>>> = {
  archived: 'archived',
  snoozed: 'snoozed',
  flagged: 'flagged',
  scheduled: 'scheduled',
  drafts: 'draft',
  deleted: 'deleted',
};

/** The place of everything in a folder; folders that mix places, and tags, count as any other mail. */
export const placeOfFolder = (word: string): Place =>
  (Object.hasOwn(placesOfFolders, word) ? placesOfFolders[word as FolderName] : undefined) ?? 'other';
