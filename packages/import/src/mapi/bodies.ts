// Reads the text and the HTML of an item. Outlook stores one to three forms of a body: text, HTML
// as bytes, compressed RTF.

import { findMetaCharset } from '@keyfold/mail/mime/charsets';
import { ImportError } from '../errors.ts';
import { decodeCodePage } from './code-pages.ts';
import type { MapiItem } from './item.ts';
import { readRtf } from './rtf-text.ts';
import { unpackRtf } from './rtf-unpack.ts';
import { TAGS } from './tags.ts';

const REPORT_TEXT = 0x1001;

export type Bodies = {
  text: string | undefined;
  html: string | undefined;
};

/**
 * Returns both forms of the body; undefined for a missing one. RTF is read only when there is no
 * HTML.
 */
export async function readBodies(item: MapiItem): Promise<Bodies> {
  const bag = item.properties;
  const text = (await bag.text(TAGS.body)) || (await bag.text(REPORT_TEXT)) || undefined;
  const stored = await bag.textOrBytes(TAGS.html);
  if (stored !== null && stored.length > 0) {
    const codePage = bag.number(TAGS.internetCodePage);
    return {
      text,
      html: typeof stored === 'string' ? stored : decodeCodePage(stored, codePage, findMetaCharset(stored)),
    };
  }
  const packed = await bag.bytes(TAGS.rtf);
  if (packed === null || packed.length === 0) return { text, html: undefined };
  try {
    const { kind, content } = readRtf(unpackRtf(packed));
    if (kind === 'html' && content.trim() !== '') return { text, html: content };
    return { text: text ?? (content.trim() === '' ? undefined : content), html: undefined };
  } catch (error) {
    if (error instanceof ImportError && text !== undefined) return { text, html: undefined };
    throw error;
  }
}
