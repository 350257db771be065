// Where the mail of a folder goes by the folder's name, in the words of the programs people come from; and what a mail's own
// labels say.
import { IMPORT_TAGS_MAX } from '@keyfold/contract/limits';
import type { KeptPlace, MailItem } from '@keyfold/import/items';
import { findNamedPlace } from '@keyfold/import/place-names';
import { INVISIBLE_ALONE } from '@keyfold/mail/invisible';
import type { ImportPlace } from './import-types.ts';

/** Folders that hold all others of an account. */
const outermost =
  /^(?:\[(?:gmail|google mail)\]|top.*|mail|local folders|[^@/]+@[^@/]+|[\w-]+(?:\.[\w-]+)+)$/i;

/** The place of a folder; a tag where its name is nobody's but its owner's. */
export function placeOfFolder(path: readonly string[]): ImportPlace {
  const name = path.at(-1);
  if (name === undefined) return 'inbox';
  const place = findNamedPlace(name) ?? 'tag';
  // `Projects/2024/Archive` is its owner's: a tag archives too, and keeps the name.
  const isInOwn = path.slice(0, -1).some(outer => findNamedPlace(outer) === null && !outermost.test(outer));
  return place === 'archive' && isInOwn ? 'tag' : place;
}

const TAG_MAX_CHARACTERS = 64;

/** A tag's name, cut to what one can have, and without signs that would show another one. */
const toTag = (name: string): string =>
  [
    ...name
      .replace(/\p{Cc}+/gu, ' ')
      .replace(INVISIBLE_ALONE, '')
      .trim(),
  ]
    .slice(0, TAG_MAX_CHARACTERS)
    .join('');

const isName = (name: string): boolean => name !== '';

/** The tag of a folder: its path. */
export const tagOfFolder = (path: readonly string[]): string => toTag(path.join('/'));

export type Placed = {
  readonly flags: {
    readonly read: boolean;
    readonly starred: boolean;
    readonly archived: boolean;
    readonly deleted: boolean;
    readonly flagged: boolean;
    readonly draft: boolean;
    readonly sent: boolean;
  };
  /** Names of tags, which may not exist yet; those of the folder before those of labels. */
  readonly tags: readonly string[];
  /** How many of them are the folder's. */
  readonly folderTagCount: number;
};

/** Most tags of a mail that is not out of our own export: labels may be made up. */
const FOREIGN_TAGS_MAX = 20;

const tagsOf = (ofFolder: readonly string[], labels: readonly string[], most: number): string[] =>
  [...new Set([...ofFolder, ...labels.map(toTag).filter(isName)])].slice(0, most);

/** A mail of our own export, as it was; a folder that becomes a tag is one tag more. */
function keptAsItWas({ folder, flags, labels = [] }: MailItem, kept: KeptPlace, place: ImportPlace): Placed {
  const ofFolder = (place === 'tag' ? [tagOfFolder(folder)] : []).filter(isName);
  return {
    flags: {
      read: flags.isRead,
      starred: flags.isStarred,
      archived: kept.isArchived,
      deleted: kept.isDeleted,
      flagged: kept.isFlagged,
      draft: flags.isDraft,
      sent: flags.isSent,
    },
    tags: tagsOf(ofFolder, labels, IMPORT_TAGS_MAX),
    folderTagCount: ofFolder.length,
  };
}

/**
 * Flags and tags of a mail of a folder that goes to `place`. Labels of its own say more than the folder does, but take no mail
 * out of the spam or of what was deleted.
 */
export function placeMail(item: MailItem, place: ImportPlace): Placed {
  const { folder, flags, labels = [], tags = [] } = item;
  if (item.place !== undefined && place !== 'spam' && place !== 'deleted')
    return keptAsItWas(item, item.place, place);
  const labelPlaces = labels.map(findNamedPlace);
  const places = new Set<ImportPlace>(labelPlaces.filter(one => one !== null));
  const own = labels.filter((_, index) => labelPlaces[index] === null);
  const isBinding = labels.length === 0 || place === 'spam' || place === 'deleted';
  if (isBinding || (places.size === 0 && place !== 'tag' && place !== 'inbox')) places.add(place);
  const sent = flags.isSent || places.has('sent');
  const draft = flags.isDraft || places.has('drafts');
  const ofFolder = places.has('tag') ? [tagOfFolder(folder)].filter(isName) : [];
  const isSomewhere = places.has('inbox') || places.has('deleted') || places.has('spam') || sent || draft;
  return {
    flags: {
      read: flags.isRead || sent || draft,
      starred: flags.isStarred,
      archived: !isSomewhere,
      deleted: places.has('deleted'),
      flagged: places.has('spam'),
      draft,
      sent: sent && !draft,
    },
    tags: tagsOf(ofFolder, [...own, ...tags], FOREIGN_TAGS_MAX),
    folderTagCount: ofFolder.length,
  };
}
