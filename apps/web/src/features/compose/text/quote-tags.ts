// Makes the HTML of a cleaned mail fit to stand inside a letter: no sheet, no empty places of blocked pictures, pictures of
// the mail under their `cid:` addresses. Works on whole tags: some browsers write "<" and ">" in values of attributes as they
// are, and a cut in the middle of one would let out as markup what was text. Pure.
import { escapeHtml } from '../rich/rich-doc.ts';

/** Stands for `cid:` while the sanitiser looks at addresses: it lets few schemes pass for pictures. */
export const cidMark = 'blob:cid/';

/** A start tag as browsers write it: every value stands in double quotes, which no value holds. */
const startTag = /<[a-z](?:[^">]|"[^"]*")*>/gi;

/** Escapes of a Content-ID undone; wrong ones stay as they are. */
function decoded(contentId: string): string {
  try {
    return decodeURIComponent(contentId);
  } catch {
    return contentId;
  }
}

const isBlocked = (tag: string): boolean => / data-blocked=/.test(tag.replace(/"[^"]*"/g, ''));

function fit(tag: string): string {
  if (!/^<img\b/i.test(tag)) return tag;
  if (isBlocked(tag)) return '';
  return tag.replace(/ ([^\s"=]+)="([^"]*)"/g, (whole, name: string, value: string) =>
    name === 'src' && value.startsWith(cidMark)
      ? ` src="cid:${escapeHtml(decoded(value.slice(cidMark.length)))}"`
      : whole,
  );
}

/** Clean HTML, as it can be quoted. */
export const fitForQuote = (clean: string): string =>
  clean.replace(/^<style>[\s\S]*?<\/style>/, '').replace(startTag, fit);
