/**
 * A user's tags: creating, renaming and removing them, and assigning them to messages
 * (docs/spec-map.md 3, 4, 7; docs/interpretations.md#59). Every change takes the mailbox's lock, so
 * that a tag is never removed while it is being assigned to a message.
 */
import { randomUUIDv7 } from 'node:crypto';
import { FOLDER_FILTERS, type Tag } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { TAG_NAME_MAX_CHARACTERS, TAGS_MAX } from '@keyfold/contract/limits';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { renameTagInRules } from '../../inbound/filters/index.ts';
import { keyOfTag, lockMailboxes, replaceTags, touchMailbox } from '../../mailbox/messages/index.ts';
import { deleteTag, insertTag, listTags, type TagRow, updateTag } from './store.ts';

type TagDeps = Pick<Deps, 'db'>;

/** Returns the user's tags under the lock, and finds one by a name in any spelling. */
async function lockTags(trx: Trx, userId: string) {
  await lockMailboxes(trx, [userId]);
  const tags = await listTags(trx, userId);
  const byKey = new Map(tags.map(tag => [keyOfTag(tag.name), tag]));
  const find = (name: string): TagRow | undefined => byKey.get(keyOfTag(writtenForm(name)));
  return {
    count: tags.length,
    find,
    /** Throws not_found. */
    get: (name: string): TagRow => {
      const tag = find(name);
      if (tag === undefined) throw new AppError('not_found');
      return tag;
    },
  };
}

/**
 * Creates a tag, or changes the color of the tag with that name. Throws malformed, tag_refused,
 * limit_reached.
 */
export function saveTag({ db }: TagDeps, userId: string, { name, color }: Tag): Promise<Tag> {
  const tag = { name: toTagName(name), color };
  return db.transaction().execute(async trx => {
    const tags = await lockTags(trx, userId);
    const known = tags.find(tag.name);
    const saved = known === undefined ? tag : { ...tag, name: known.name };
    if (known !== undefined) await updateTag(trx, userId, known.id, saved);
    else if (tags.count >= TAGS_MAX) throw new AppError('limit_reached');
    else await insertTag(trx, userId, randomUUIDv7(), saved);
    await touchMailbox(trx, userId, 0);
    return saved;
  });
}

/**
 * Creates a tag unless one with that name exists; returns its name as stored. Throws malformed,
 * tag_refused, limit_reached.
 */
export function ensureTag({ db }: TagDeps, userId: string, { name, color }: Tag): Promise<string> {
  const wanted = toTagName(name);
  return db.transaction().execute(async trx => {
    const tags = await lockTags(trx, userId);
    const known = tags.find(wanted);
    if (known !== undefined) return known.name;
    if (tags.count >= TAGS_MAX) throw new AppError('limit_reached');
    await insertTag(trx, userId, randomUUIDv7(), { name: wanted, color });
    await touchMailbox(trx, userId, 0);
    return wanted;
  });
}

/**
 * Changes the name and color of a tag; rules that name it are updated. Throws not_found, tag_taken,
 * malformed, tag_refused.
 */
export function renameTag(
  { db, masterKey }: Pick<Deps, 'db' | 'masterKey'>,
  userId: string,
  oldName: string,
  { name, color }: Tag,
): Promise<Tag> {
  const tag = { name: toTagName(name), color };
  return db.transaction().execute(async trx => {
    const tags = await lockTags(trx, userId);
    const { id } = tags.get(oldName);
    const other = tags.find(tag.name);
    if (other !== undefined && other.id !== id) throw new AppError('tag_taken');
    await updateTag(trx, userId, id, tag);
    await renameTagInRules(trx, masterKey, userId, tags.get(oldName).name, tag.name);
    await touchMailbox(trx, userId, 0);
    return tag;
  });
}

/** Removes a tag, also from its messages; returns how many messages had it. Throws not_found. */
export const removeTag = ({ db }: TagDeps, userId: string, name: string): Promise<number> =>
  db.transaction().execute(async trx => {
    const tags = await lockTags(trx, userId);
    const untagged = await deleteTag(trx, userId, tags.get(name).id);
    await touchMailbox(trx, userId, 0);
    return untagged;
  });

/**
 * Sets exactly these tags, or none, on all given messages; returns the number of messages. Throws
 * not_found.
 */
export const tagMails = (
  { db }: TagDeps,
  userId: string,
  ids: readonly string[],
  names: readonly string[],
): Promise<number> =>
  db.transaction().execute(async trx => {
    const tags = await lockTags(trx, userId);
    return replaceTags(
      trx,
      userId,
      ids,
      names.map(name => tags.get(name).id),
    );
  });

/**
 * Names that tags cannot have: folders of the mail view, other spellings of `recieved`, and words
 * that a path cannot contain.
 */
const RESERVED = new Set([...Object.keys(FOLDER_FILTERS), 'received', '.', '..']);

/** Returns a name as stored: NFC, one space between words. */
const writtenForm = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim();

/**
 * Returns a new name as stored. A tag is a segment of the mail view's path, like a folder, so the
 * two never share a name (docs/interpretations.md#59). Throws malformed for a name that is not a
 * line of text, tag_refused for a folder's name.
 */
function toTagName(given: string): string {
  const name = writtenForm(given);
  const isText = name.isWellFormed() && !/\p{Cc}/u.test(name);
  if (!isText || name === '' || [...name].length > TAG_NAME_MAX_CHARACTERS)
    throw new AppError('malformed', {
      problems: [{ path: 'tag.name', message: 'Must be one line of text' }],
    });
  if (RESERVED.has(keyOfTag(name))) throw new AppError('tag_refused');
  return name;
}
