/**
 * Which tag a mail gets for the folder it comes from, and the making of those tags. A folder that every mailbox has is shown
 * by its mails' state and gets none; nor does one for whose name there is no room.
 */
import { AppError } from '@keyfold/contract/errors';
import { TAG_COLORS, TAG_NAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { findNamedPlace } from '@keyfold/import/place-names';
import { INVISIBLE_ALONE, withoutPiles } from '@keyfold/mail/invisible';
import type { Deps } from '../../../context/deps.ts';
import { ensureTag } from '../../reading/tags/index.ts';

export const isInbox = (folder: readonly string[]): boolean =>
  folder.length === 0 || (folder.length === 1 && findNamedPlace(folder[0] ?? '') === 'inbox');

/** Whether a folder, or one around it, holds what its owner threw away or did not want. */
export const isDiscarded = (folder: readonly string[]): boolean =>
  folder.map(findNamedPlace).some(place => place === 'deleted' || place === 'spam');

/** The name of a folder's tag; the innermost folders are what tells it from others. */
function nameOf(folder: readonly string[]): string {
  const clean = folder.map(name =>
    withoutPiles(name).normalize('NFC').replace(INVISIBLE_ALONE, '').replace(/\s+/g, ' ').trim(),
  );
  const whole = clean.join('/');
  return [...whole].length <= TAG_NAME_MAX_CHARACTERS
    ? whole
    : [...(clean.at(-1) ?? '')].slice(0, TAG_NAME_MAX_CHARACTERS).join('').trim();
}

/** Gives the names of tags for folders, and makes each tag once. */
export function createFolderTags(deps: Pick<Deps, 'db'>, userId: string) {
  const made = new Map<string, readonly string[]>();
  return async (folder: readonly string[]): Promise<readonly string[]> => {
    if (isInbox(folder)) return [];
    const name = nameOf(folder);
    const known = made.get(name);
    if (known !== undefined) return known;
    let names: readonly string[] = [];
    try {
      const color = TAG_COLORS[made.size % TAG_COLORS.length] ?? TAG_COLORS[0];
      names = [await ensureTag(deps, userId, { name, color })];
    } catch (error) {
      // Too many tags, or a name that no tag can have.
      if (!(error instanceof AppError)) throw error;
    }
    made.set(name, names);
    return names;
  };
}
