// Places of messages, as far as they affect the available actions (mail-actions.ts).
import type { Email, FolderName } from '@keyfold/contract';

/** States of a message that affect the available actions. */
export const places = ['other', 'archived', 'snoozed', 'flagged', 'scheduled', 'draft', 'deleted'] as const;
export type Place = (typeof places)[number];

/** Returns the place of a message. */
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

/**
 * Returns the place of everything in a folder. Folders with mixed places, and tags, count as
 * `other`.
 */
export const placeOfFolder = (word: string): Place =>
  (Object.hasOwn(placesOfFolders, word) ? placesOfFolders[word as FolderName] : undefined) ?? 'other';
