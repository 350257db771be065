/**
 * Names of tags: their one written form, when two are the same, and which none can have. A tag is a word of the mail
 * view's path, as a folder is, so the two never share a name (docs/spec-map.md 2, 3, docs/interpretations.md#59).
 */
import { FOLDER_FILTERS } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { TAG_NAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { keyOfTag } from '../../mailbox/messages/index.ts';

/** Folders of the mail view, how `recieved` is spelt elsewhere, and what a path cannot hold as a word. */
const RESERVED = new Set([...Object.keys(FOLDER_FILTERS), 'received', '.', '..']);

/** A name as it is kept: NFC, one blank between words. */
export const writtenForm = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim();

/** A new name as it is kept. Throws malformed for one that is no line of text, tag_refused for a folder's. */
export function toTagName(given: string): string {
  const name = writtenForm(given);
  const isText = name.isWellFormed() && !/\p{Cc}/u.test(name);
  if (!isText || name === '' || [...name].length > TAG_NAME_MAX_CHARACTERS)
    throw new AppError('malformed', { problems: [{ path: 'tag.name', message: 'Not a line of text' }] });
  if (RESERVED.has(keyOfTag(name))) throw new AppError('tag_refused');
  return name;
}
