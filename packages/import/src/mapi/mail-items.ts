// Turns an Outlook message into import items: the message with its state, and one item for each of
// its unreadable files.

import type { FolderPath, ImportItem, MailFlags } from '../items.ts';
import { type MapiItem, messageClassOf } from './item.ts';
import { readItemDate, writeMapiMessage } from './mapi-message.ts';
import { TAGS } from './tags.ts';

/** Bits of PidTagMessageFlags, [MS-OXCMSG] 2.2.1.6. */
const FLAGS = { read: 1, submitted: 4, unsent: 8, fromMe: 0x20 } as const;
const FLAGGED = 2;

async function readFlags(item: MapiItem, isInSent: boolean): Promise<MailFlags> {
  const { properties } = item;
  const kind = await messageClassOf(item);
  const bits = properties.number(TAGS.messageFlags) ?? 0;
  const isMail = kind.startsWith('IPM.NOTE') || kind === '';
  const isOwn = (bits & (FLAGS.fromMe | FLAGS.submitted)) !== 0 && !properties.has(TAGS.transportHeaders);
  const hasTravelled = properties.has(TAGS.deliveryTime) || properties.has(TAGS.transportHeaders);
  const isDraft = isMail && (bits & FLAGS.unsent) !== 0 && !hasTravelled && !isInSent;
  return {
    isRead: (bits & FLAGS.read) !== 0,
    isStarred: properties.number(TAGS.flagStatus) === FLAGGED,
    isDraft,
    isSent: !isDraft && (isInSent || (isMail && isOwn)),
  };
}

/**
 * Returns the items of a message. `isInSent` says that it is in a folder of sent mail. Throws as
 * writeMapiMessage does.
 */
export async function mailItemsOf(
  item: MapiItem,
  base: { readonly key: string; readonly folder: FolderPath },
  isInSent: boolean,
): Promise<ImportItem[]> {
  const { raw, missing } = await writeMapiMessage(item);
  return [
    {
      ...base,
      kind: 'mail',
      raw,
      receivedAt: await readItemDate(item),
      flags: await readFlags(item, isInSent),
    },
    ...missing.map(
      ({ name, reason }, index): ImportItem => ({
        ...base,
        kind: 'broken',
        key: `${base.key}-file-${index}`,
        name,
        reason,
      }),
    ),
  ];
}
