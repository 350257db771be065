import { expect, test } from 'vitest';
import { PREVIEW_MAX_BYTES, previewKindOf, sniffPicture } from './preview-kind.ts';

test('images, PDF files and text files can be previewed, and others only saved', () => {
  expect(previewKindOf('image/PNG', 'a', 1)).toBe('image');
  expect(previewKindOf('application/pdf; name=x', 'a', 1)).toBe('pdf');
  expect(previewKindOf('application/octet-stream', 'Report.PDF', 1)).toBe('pdf');
  expect(previewKindOf('text/csv', 'a', 1)).toBe('text');
  expect(previewKindOf('application/zip', 'a.txt', 1)).toBeNull();
  expect(previewKindOf('application/pdf', 'a.pdf', PREVIEW_MAX_BYTES + 1)).toBeNull();
});

test('HTML and SVG files are previewed as text', () => {
  expect(previewKindOf('image/svg+xml', 'a.svg', 1)).toBe('text');
  expect(previewKindOf('text/html', 'a.html', 1)).toBe('text');
  expect(previewKindOf('application/xhtml+xml', 'a', 1)).toBeNull();
});

test('an image is recognized by its first bytes', () => {
  const bytes = (text: string) => Uint8Array.from(text, char => char.charCodeAt(0));
  expect(sniffPicture(bytes('\x89PNG\r\n'))).toBe('image/png');
  expect(sniffPicture(bytes('RIFF1234WEBPVP8 '))).toBe('image/webp');
  expect(sniffPicture(bytes('\0\0\0\x20ftypavif'))).toBe('image/avif');
  expect(sniffPicture(bytes('\0\0\x01\0'))).toBe('image/x-icon');
  expect(sniffPicture(bytes('<svg xmlns='))).toBeNull();
  expect(sniffPicture(new Uint8Array(0))).toBeNull();
});
