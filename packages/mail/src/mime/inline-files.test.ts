import { expect, it } from 'vitest';
import { contentIdsIn, isShownInline } from './inline-files.ts';

const html = '<img src="cid:Logo%40a"><td background=\'cid:b&amp;c\'><div style="background:url(cid:d)">';

it('a picture that the text uses is inline; other files are not', () => {
  const ids = contentIdsIn(html);
  expect([...ids]).toEqual(['logo@a', 'b&c', 'd']);
  expect(isShownInline({ contentId: '<logo@a>', mimeType: 'image/png' }, ids)).toBe(true);
  expect(isShownInline({ contentId: '<other@a>', mimeType: 'image/png' }, ids)).toBe(false);
  expect(isShownInline({ contentId: '<logo@a>', mimeType: 'image/svg+xml' }, ids)).toBe(false);
  expect(isShownInline({ contentId: '<logo@a>', mimeType: 'application/pdf' }, ids)).toBe(false);
  expect(isShownInline({ contentId: null, mimeType: 'image/png' }, ids)).toBe(false);
  expect(contentIdsIn(null).size).toBe(0);
});
