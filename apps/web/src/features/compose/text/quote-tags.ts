// Prepares the HTML of a sanitized message for quoting: removes style sheets and placeholders of
// blocked pictures, and addresses embedded pictures by `cid:`. Works on whole tags: some browsers
// serialize "<" and ">" in attribute values unescaped, so a cut inside a value would turn text into
// markup. Pure.
import { escapeHtml } from '../rich/rich-doc.ts';

/**
 * Placeholder for `cid:` during sanitizing, because the sanitizer allows few schemes for pictures.
 */
export const cidMark = 'blob:cid/';

/**
 * A start tag as browsers serialize it: every value is in double quotes, which no value contains.
 */
const startTag = /<[a-z](?:[^">]|"[^"]*")*>/gi;

/** Decodes the escapes of a Content-ID; leaves invalid ones as they are. */
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

/** Returns sanitized HTML in a quotable form. */
export const fitForQuote = (clean: string): string =>
  clean.replace(/^<style>[\s\S]*?<\/style>/, '').replace(startTag, fit);
