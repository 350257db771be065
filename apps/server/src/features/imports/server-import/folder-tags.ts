/**
 * Maps source folders to tags and creates the tags. Standard folders become message flags instead,
 * and a folder gets no tag when the tag limit is reached.
 */
import { AppError } from '@keyfold/contract/errors';
import { TAG_COLORS, TAG_NAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { findNamedPlace } from '@keyfold/import/place-names';
import { INVISIBLE_ALONE, withoutPiles } from '@keyfold/mail/invisible';
import type { Deps } from '../../../context/deps.ts';
import { ensureTag } from '../../reading/tags/index.ts';

export const isInbox = (folder: readonly string[]): boolean =>
  folder.length === 0 || (folder.length === 1 && findNamedPlace(folder[0] ?? '') === 'inbox');

/** Returns whether a folder, or one of its parents, holds deleted or unwanted mail. */
export const isDiscarded = (folder: readonly string[]): boolean =>
  folder.map(findNamedPlace).some(place => place === 'deleted' || place === 'spam');

/**
 * Returns the tag name of a folder. The innermost folders are kept, since they distinguish it best.
 */
function nameOf(folder: readonly string[]): string {
  const clean = folder.map(name =>
    withoutPiles(name).normalize('NFC').replace(INVISIBLE_ALONE, '').replace(/\s+/g, ' ').trim(),
  );
  const whole = clean.join('/');
  return [...whole].length <= TAG_NAME_MAX_CHARACTERS
    ? whole
    : [...(clean.at(-1) ?? '')].slice(0, TAG_NAME_MAX_CHARACTERS).join('').trim();
}

/** Returns the tag names of folders; creates each tag once. */
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
      // The tag limit was reached, or no tag can have this name.
      if (!(error instanceof AppError)) throw error;
    }
    made.set(name, names);
    return names;
  };
}
