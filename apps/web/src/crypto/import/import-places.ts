// Decides where the mail of a folder goes from the folder's name, as other mail programs name it,
// and from a message's own labels.
import { IMPORT_TAGS_MAX } from '@keyfold/contract/limits';
import type { KeptPlace, MailItem } from '@keyfold/import/items';
import { findNamedPlace } from '@keyfold/import/place-names';
import { INVISIBLE_ALONE } from '@keyfold/mail/invisible';
import type { ImportPlace } from './import-types.ts';

/** Top-level folders that contain all others of an account. */
const outermost =
  /^(?:\[(?:gmail|google mail)\]|top.*|mail|local folders|[^@/]+@[^@/]+|[\w-]+(?:\.[\w-]+)+)$/i;

/** Returns the place of a folder; a tag for a name that is not one of the known folder names. */
export function placeOfFolder(path: readonly string[]): ImportPlace {
  const name = path.at(-1);
  if (name === undefined) return 'inbox';
  const place = findNamedPlace(name) ?? 'tag';
  // `Projects/2024/Archive` is the user's own folder: a tag archives too, and keeps the name.
  const isInOwn = path.slice(0, -1).some(outer => findNamedPlace(outer) === null && !outermost.test(outer));
  return place === 'archive' && isInOwn ? 'tag' : place;
}

const TAG_MAX_CHARACTERS = 64;

/**
 * Returns a valid tag name: cut to the maximum length, and without characters that would make it
 * look like another.
 */
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

/** Returns the tag of a folder: its path. */
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
  /** Names of tags, which may not exist yet; the folder's tags come before the labels. */
  readonly tags: readonly string[];
  /** How many of them are from the folder. */
  readonly folderTagCount: number;
};

/**
 * Maximum number of tags of a message that is not from a Keyfold export, because labels may be
 * forged.
 */
const FOREIGN_TAGS_MAX = 20;

const tagsOf = (ofFolder: readonly string[], labels: readonly string[], most: number): string[] =>
  [...new Set([...ofFolder, ...labels.map(toTag).filter(isName)])].slice(0, most);

/** Restores a message from a Keyfold export as it was; a folder that becomes a tag adds one tag. */
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
 * Returns the flags and tags of a message in a folder that goes to `place`. Its own labels override
 * the folder, but never move a message out of spam or deleted mail.
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
