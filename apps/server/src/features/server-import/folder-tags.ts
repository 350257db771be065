/**
 * Which tag a mail gets for the folder it comes from, and the making of those tags. A folder that every mailbox has is shown
 * by its mails' state and gets none; nor does one for whose name there is no room.
 */
import { AppError } from '@keyfold/contract/errors';
import { TAG_COLORS, TAG_NAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import type { Deps } from '../../deps.ts';
import { ensureTag } from '../tags/service.ts';

/** Names under which mail is at its place without a tag. */
const INBOXES = new Set([
  'inbox',
  'posteingang',
  'boîte de réception',
  'bandeja de entrada',
  'posta in arrivo',
]);

export const isInbox = (folder: readonly string[]): boolean =>
  folder.length === 0 || (folder.length === 1 && INBOXES.has((folder[0] ?? '').toLowerCase()));

/** Names under which programs keep what was thrown away, or is unwanted. */
const DISCARDED =
  /^(?:trash|bin|deleted[ -]?(?:items|messages)|papierkorb|gelöschte (?:objekte|elemente)|corbeille|éléments supprimés|papelera|elementos eliminados|posta eliminata|المهملات|العناصر المحذوفة|spam|junk(?:[ -]?e?-?mail)?|spamverdacht|courrier indésirable|correo no deseado)$/i;

/** Whether a folder, or one around it, holds what its owner threw away or did not want. */
export const isDiscarded = (folder: readonly string[]): boolean =>
  folder.some(name => DISCARDED.test(name.trim()));

/** The name of a folder's tag; the innermost folders are what tells it from others. */
const nameOf = (folder: readonly string[]): string => {
  const clean = folder.map(name => name.normalize('NFC').replace(/\s+/g, ' ').trim());
  const whole = clean.join(' - ');
  return [...whole].length <= TAG_NAME_MAX_CHARACTERS
    ? whole
    : [...(clean.at(-1) ?? '')].slice(0, TAG_NAME_MAX_CHARACTERS).join('').trim();
};

/** Gives the names of tags for folders, and makes each tag once. */
export const createFolderTags = (deps: Pick<Deps, 'db'>, userId: string) => {
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
};
