// The body of a letter from what the composer holds, and back: text and folded quote become one HTML and one plain text,
// and a stored draft is taken apart again. Pure.
import { htmlToText } from '@keyfold/mail/mime/html-text';
import type { OutgoingMessage } from '../../../crypto/mail/outgoing-message.ts';
import { type DraftState, filesInUse, type Quote } from './draft-state.ts';

const quoteStart = '<div class="keyfold_quote">';
const quoteEnd = '</div>';

/** HTML with its quote under it. */
export const joinHtml = (html: string, quote: Quote | null): string =>
  quote === null ? html : `${html}${quoteStart}${quote.html}${quoteEnd}`;

/** Plain text with its quote under it. */
export const joinText = (text: string, quote: Quote | null): string =>
  quote === null ? text : `${text.trimEnd()}\n\n${quote.text}`;

/** Lines of a text as mail quotes them. */
export const quoteLines = (text: string): string =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .map(line => (line === '' ? '>' : line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n');

/** The plain text of a quote: what stands in its blockquote gets marks, what stands before does not. */
export function quoteText(html: string): string {
  const start = html.indexOf('<blockquote type="cite"');
  if (start < 0) return htmlToText(html);
  const inside = htmlToText(html.slice(start));
  return `${htmlToText(html.slice(0, start))}\n${quoteLines(inside)}`;
}

/** A stored draft's HTML as text and folded quote. */
export function splitHtml(stored: string): { readonly html: string; readonly quote: Quote | null } {
  const start = stored.indexOf(quoteStart);
  if (start < 0) return { html: stored.trimEnd(), quote: null };
  const end = stored.lastIndexOf(quoteEnd);
  const inside = stored.slice(start + quoteStart.length, end > start ? end : undefined);
  return { html: stored.slice(0, start), quote: { html: inside, text: quoteText(inside) } };
}

/** The letter as it goes out: without formatting it needs no HTML, and everybody can read plain text. */
export const toSentMessage = (draft: DraftState): OutgoingMessage =>
  toOutgoingMessage(draft.isFormatted || draft.quote !== null ? draft : { ...draft, html: null });

/** The letter as the key worker takes it, and as drafts keep it. */
export const toOutgoingMessage = (draft: DraftState): OutgoingMessage => ({
  from: draft.from,
  to: draft.to.map(({ person }) => person),
  cc: draft.cc.map(({ person }) => person),
  bcc: draft.bcc.map(({ person }) => person),
  subject: draft.subject,
  text: joinText(draft.text, draft.quote),
  ...(draft.html === null ? {} : { html: joinHtml(draft.html, draft.quote) }),
  ...(draft.inReplyTo === null ? {} : { inReplyTo: draft.inReplyTo }),
  references: draft.references,
  files: filesInUse(draft).flatMap(({ stored, contentId }) =>
    stored === null ? [] : [contentId === null ? stored : { ...stored, contentId }],
  ),
});
