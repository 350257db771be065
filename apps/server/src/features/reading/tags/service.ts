/**
 * A user's tags: making, renaming and removing them, and giving them to mails (docs/spec-map.md 3, 4, 7;
 * docs/interpretations.md#59). Every change takes the mailbox's lock, so that a tag never goes while a mail gets it.
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

/** The user's tags under the lock, and how one is found by a name in any spelling. */
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

/** Makes a tag, or gives the one of that name another colour. Throws malformed, tag_refused, limit_reached. */
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

/** Makes a tag unless there is one of that name; gives its name as it is kept. Throws malformed, tag_refused, limit_reached. */
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

/** Gives a tag another name and colour; rules that name it follow. Throws not_found, tag_taken, malformed, tag_refused. */
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

/** Removes a tag, also from its mails; returns how many had it. Throws not_found. */
export const removeTag = ({ db }: TagDeps, userId: string, name: string): Promise<number> =>
  db.transaction().execute(async trx => {
    const tags = await lockTags(trx, userId);
    const untagged = await deleteTag(trx, userId, tags.get(name).id);
    await touchMailbox(trx, userId, 0);
    return untagged;
  });

/** Gives all these mails exactly these tags, or none of them; returns how many mails that are. Throws not_found. */
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

/** Folders of the mail view, how `recieved` is spelt elsewhere, and what a path cannot hold as a word. */
const RESERVED = new Set([...Object.keys(FOLDER_FILTERS), 'received', '.', '..']);

/** A name as it is kept: NFC, one blank between words. */
const writtenForm = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim();

/**
 * A new name as it is kept. A tag is a word of the mail view's path, as a folder is, so the two never share a name
 * (docs/interpretations.md#59). Throws malformed for one that is no line of text, tag_refused for a folder's.
 */
function toTagName(given: string): string {
  const name = writtenForm(given);
  const isText = name.isWellFormed() && !/\p{Cc}/u.test(name);
  if (!isText || name === '' || [...name].length > TAG_NAME_MAX_CHARACTERS)
    throw new AppError('malformed', { problems: [{ path: 'tag.name', message: 'Not a line of text' }] });
  if (RESERVED.has(keyOfTag(name))) throw new AppError('tag_refused');
  return name;
}
