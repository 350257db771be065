/**
 * Placement of imported IMAP mail: by the folder's special use, and at Gmail by the message's
 * labels, since Gmail shows one message in many folders.
 */
import type { ImapFolder, ImapHead, ImapUse } from '../../../adapters/imap.ts';
import type { ImportedMessage } from '../../inbound/ingest/index.ts';
import { isInbox } from './folder-tags.ts';
import type { FolderPath } from './source.ts';

export type ImapPlace = 'archive' | 'deleted' | 'drafts' | 'inbox' | 'sent' | 'spam' | 'tag';

const PLACES: Readonly<Record<ImapUse, ImapPlace>> = {
  inbox: 'inbox',
  sent: 'sent',
  drafts: 'drafts',
  archive: 'archive',
  all: 'archive',
  junk: 'spam',
  trash: 'deleted',
};

/**
 * A message in two folders is imported from the more specific one. The archive may contain
 * everything, so it comes late.
 */
const ORDER: readonly ImapPlace[] = ['inbox', 'tag', 'sent', 'drafts', 'archive', 'spam', 'deleted'];

export function placeOf({ use, path }: Pick<ImapFolder, 'path' | 'use'>): ImapPlace {
  if (use !== null) return PLACES[use];
  return isInbox(path) ? 'inbox' : 'tag';
}

/** Returns folders in reading order, which is deterministic for the same folders. */
export const inOrder = <T extends { readonly place: ImapPlace; readonly name: string }>(
  folders: readonly T[],
): T[] =>
  folders.toSorted(
    (a, b) =>
      ORDER.indexOf(a.place) - ORDER.indexOf(b.place) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );

/** Gmail's system labels (X-GM-LABELS). Other labels with the same prefix are internal to Gmail. */
const LABELS: ReadonlyMap<string, ImapPlace | 'starred'> = new Map<string, ImapPlace | 'starred'>([
  ['\\inbox', 'inbox'],
  ['\\sent', 'sent'],
  ['\\draft', 'drafts'],
  ['\\drafts', 'drafts'],
  ['\\starred', 'starred'],
]);

export type Placed = {
  readonly flags: ImportedMessage['flags'];
  /** Folders whose names become its tags. */
  readonly folders: readonly FolderPath[];
};

/**
 * Returns the flags and tags of a message. Spam and deleted mail stay so, whatever the labels say.
 */
export function placeMail(
  folder: { readonly place: ImapPlace; readonly path: FolderPath },
  head: Pick<ImapHead, 'isDraft' | 'isFlagged' | 'isSeen' | 'labels'>,
): Placed {
  const isAway = folder.place === 'spam' || folder.place === 'deleted';
  const said = new Set<string>([
    folder.place,
    ...(isAway ? [] : head.labels.flatMap(label => LABELS.get(label.toLowerCase()) ?? [])),
  ]);
  const tags = [
    ...(folder.place === 'tag' ? [folder.path] : []),
    ...head.labels.filter(label => !label.startsWith('\\')).map(label => label.split('/')),
  ];
  const draft = !isAway && (said.has('drafts') || head.isDraft);
  const sent = !draft && said.has('sent');
  const isSomewhere = isAway || draft || sent || said.has('inbox');
  return {
    flags: {
      read: head.isSeen || draft || sent,
      starred: head.isFlagged || said.has('starred'),
      draft,
      sent,
      archived: !isSomewhere,
      flagged: folder.place === 'spam',
      deleted: folder.place === 'deleted',
    },
    folders: tags,
  };
}
