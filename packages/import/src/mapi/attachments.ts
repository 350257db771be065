// What is attached to an item, as files for the composer; mails inside of mails are written first, the innermost before
// all. A file that cannot be read is named and the mail goes on without it.

import type { ComposeFile } from '@keyfold/mail/mime/compose';
import { contentIdsIn } from '@keyfold/mail/mime/inline-files';
import { ImportError } from '../errors.ts';
import type { BrokenReason } from '../items.ts';
import { reasonOf } from './broken.ts';
import { type MapiAttachment, type MapiBag, type MapiItem, subjectOf } from './item.ts';
import { MESSAGE_DEPTH_MAX } from './limits.ts';
import { TAGS } from './tags.ts';

/** PidTagAttachMethod, [MS-OXCMSG] 2.2.2.9. */
const METHODS = { value: 1, embedded: 5, ole: 6 } as const;

/** A file of a mail that was left out. */
export type MissingFile = {
  name: string;
  reason: BrokenReason;
};

export type Attachments = {
  files: ComposeFile[];
  missing: MissingFile[];
};

/** Writes a mail that is inside another one. */
export type WriteInner = (inner: MapiItem, missing: MissingFile[]) => Promise<Uint8Array>;

async function nameOf(bag: MapiBag): Promise<string> {
  for (const id of [TAGS.attachLongName, TAGS.attachShortName, TAGS.displayName, TAGS.attachPath]) {
    const name = (await bag.text(id)).split(/[\\/]/).at(-1)?.trim() ?? '';
    if (name !== '') return name.slice(0, 255);
  }
  return '';
}

async function readFile(
  attachment: MapiAttachment,
  name: string,
  item: MapiItem,
  writeInner: WriteInner,
  missing: MissingFile[],
): Promise<ComposeFile> {
  const bag = attachment.properties;
  const method = bag.number(TAGS.attachMethod);
  if (method === METHODS.embedded || (attachment.isObject && method !== METHODS.ole)) {
    if (item.depth + 1 > MESSAGE_DEPTH_MAX) throw new ImportError('too_large');
    const innerItem = await attachment.readMessage();
    const title = name || (await subjectOf(innerItem)) || 'message';
    return {
      filename: /\.eml$/i.test(title) ? title : `${title}.eml`,
      mimeType: 'message/rfc822',
      content: await writeInner(innerItem, missing),
    };
  }
  const mimeType = (await bag.text(TAGS.attachType)) || 'application/octet-stream';
  const filename = name || 'attachment';
  if (method === METHODS.ole) return { filename, mimeType, content: await attachment.readObject() };
  const content = await bag.wholeBytes(TAGS.attachData);
  // Linked and not attached: the file lies on somebody's disk.
  if (content === null) throw new ImportError('unsupported');
  const contentId = (await bag.text(TAGS.attachContentId)).replace(/^<|>$/g, '');
  return { filename, mimeType, content, contentId: isContentId(contentId) ? contentId : undefined };
}

const isContentId = (id: string): boolean => /^[\u0021-\u003b\u003d\u003f-\u007e]{1,200}$/.test(id);

/**
 * All files of an item. One that its HTML does not show by Content-ID is attached and not inline. Throws `too_large` when
 * they are so together.
 */
export async function readAttachments(
  item: MapiItem,
  html: string | undefined,
  writeInner: WriteInner,
): Promise<Attachments> {
  const shown = contentIdsIn(html ?? null);
  const files: ComposeFile[] = [];
  const missing: MissingFile[] = [];
  for (const readAttachment of await item.attachments()) {
    let name = '';
    try {
      const attachment = await readAttachment();
      name = await nameOf(attachment.properties);
      const file = await readFile(attachment, name, item, writeInner, missing);
      const isInline = file.contentId !== undefined && shown.has(file.contentId.toLowerCase());
      files.push(isInline ? file : { ...file, contentId: undefined });
    } catch (error) {
      const reason = reasonOf(error);
      // Beyond its allowance the whole item is refused: what else is in it would fail as well.
      if (reason === null || (error instanceof ImportError && error.code === 'too_large' && item.depth === 0))
        throw error;
      missing.push({ name, reason });
    }
  }
  return { files, missing };
}
