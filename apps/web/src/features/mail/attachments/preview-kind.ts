// Decides which attachments can be previewed or opened as messages, from the type and name that the
// message declares and, for pictures, from the first bytes. SVG and HTML are only ever shown as
// text. docs/interface.md#attachments.

import { isMessageFile } from '@keyfold/mail/mime/container-kind';

export type PreviewKind = 'image' | 'text' | 'pdf' | 'message';

/** Maximum size of a file that can be previewed, in bytes. Larger files can only be saved. */
export const PREVIEW_MAX_BYTES = 26_214_400;
/** Maximum number of bytes of a text file that a preview shows. */
export const PREVIEW_TEXT_BYTES = 204_800;

const imageType = /^image\/(?:png|jpe?g|pjpeg|gif|webp|avif|bmp|x-ms-bmp)$/;
const textType =
  /^(?:text\/[\w.+-]+|application\/(?:json|xml|x-yaml|yaml|javascript|x-sh|sql|toml)|message\/[\w-]+|image\/svg\+xml)$/;
const textName =
  /\.(?:txt|md|csv|tsv|log|json|xml|ya?ml|ini|conf|toml|sql|sh|py|js|ts|css|html?|svg|eml|ics|vcf|asc|diff|patch)$/;

/** Returns how a file can be previewed, or null when it can only be saved. */
export function previewKindOf(type: string, name: string, sizeBytes: number): PreviewKind | null {
  if (sizeBytes > PREVIEW_MAX_BYTES) return null;
  if (isMessageFile({ mimeType: type, filename: name })) return 'message';
  const mimeType = type.toLowerCase().split(';')[0]?.trim() ?? '';
  const lowerName = name.toLowerCase();
  if (imageType.test(mimeType)) return 'image';
  if (mimeType === 'application/pdf' || mimeType === 'application/x-pdf') return 'pdf';
  const isUnknown = mimeType === '' || mimeType === 'application/octet-stream';
  if (isUnknown && /\.pdf$/.test(lowerName)) return 'pdf';
  if (isUnknown && /\.(?:png|jpe?g|gif|webp|avif|bmp)$/.test(lowerName)) return 'image';
  if (textType.test(mimeType) || (isUnknown && textName.test(lowerName))) return 'text';
  return null;
}

const signatures: readonly (readonly [type: string, start: readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/bmp', [0x42, 0x4d]],
  ['image/x-icon', [0x00, 0x00, 0x01, 0x00]],
];

/**
 * Returns the type of a picture by its first bytes, or null when it is not a type that previews
 * show.
 */
export function sniffPicture(head: Uint8Array): string | null {
  const found = signatures.find(([, start]) => start.every((byte, index) => head[index] === byte));
  if (found !== undefined) return found[0];
  const text = String.fromCharCode(...head.subarray(0, 16));
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp';
  return /^.{4}ftypavi[fs]/s.test(text) ? 'image/avif' : null;
}
