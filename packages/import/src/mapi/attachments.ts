// Attachments of an item, as files for the composer. Nested messages are written first, innermost
// first. An unreadable file is reported, and the message is imported without it.

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

/** A file that was left out of a message. */
export type MissingFile = {
  name: string;
  reason: BrokenReason;
};

export type Attachments = {
  files: ComposeFile[];
  missing: MissingFile[];
};

/** Writes a message that is attached to another one. */
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
  // A linked file rather than an attachment: its content is on a user's disk.
  if (content === null) throw new ImportError('unsupported');
  const contentId = (await bag.text(TAGS.attachContentId)).replace(/^<|>$/g, '');
  return { filename, mimeType, content, contentId: isContentId(contentId) ? contentId : undefined };
}

const isContentId = (id: string): boolean => /^[\u0021-\u003b\u003d\u003f-\u007e]{1,200}$/.test(id);

/**
 * Reads all files of an item. A file that the HTML does not reference by Content-ID becomes an
 * attachment rather than inline. Throws `too_large` when the files together exceed the limit.
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
      // Beyond its allowance the whole item is rejected, because everything else in it would fail
      // as well.
      if (reason === null || (error instanceof ImportError && error.code === 'too_large' && item.depth === 0))
        throw error;
      missing.push({ name, reason });
    }
  }
  return { files, missing };
}
