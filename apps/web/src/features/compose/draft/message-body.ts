// Builds the body of a message from the composer's content: text and folded quote become one HTML
// and one plain text. Splits a stored draft back into these parts. Pure.
import { htmlToText } from '@keyfold/mail/mime/html-text';
import type { OutgoingMessage } from '../../../crypto/mail/outgoing-message.ts';
import { type DraftState, filesInUse, type Quote } from './draft-state.ts';

const quoteStart = '<div class="keyfold_quote">';
const quoteEnd = '</div>';

/** Returns HTML with its quote below it. */
export const joinHtml = (html: string, quote: Quote | null): string =>
  quote === null ? html : `${html}${quoteStart}${quote.html}${quoteEnd}`;

/** Returns plain text with its quote below it. */
export const joinText = (text: string, quote: Quote | null): string =>
  quote === null ? text : `${text.trimEnd()}\n\n${quote.text}`;

/** Returns the lines of a text with quote markers. */
export const quoteLines = (text: string): string =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .map(line => (line === '' ? '>' : line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n');

/**
 * Returns the plain text of a quote: the content of its blockquote gets quote markers, the text
 * before it does not.
 */
export function quoteText(html: string): string {
  const start = html.indexOf('<blockquote type="cite"');
  if (start < 0) return htmlToText(html);
  const inside = htmlToText(html.slice(start));
  return `${htmlToText(html.slice(0, start))}\n${quoteLines(inside)}`;
}

/** Splits a stored draft's HTML into text and folded quote. */
export function splitHtml(stored: string): { readonly html: string; readonly quote: Quote | null } {
  const start = stored.indexOf(quoteStart);
  if (start < 0) return { html: stored.trimEnd(), quote: null };
  const end = stored.lastIndexOf(quoteEnd);
  const inside = stored.slice(start + quoteStart.length, end > start ? end : undefined);
  return { html: stored.slice(0, start), quote: { html: inside, text: quoteText(inside) } };
}

/**
 * Returns the message to send: without formatting it needs no HTML, and every recipient can read
 * plain text.
 */
export const toSentMessage = (draft: DraftState): OutgoingMessage =>
  toOutgoingMessage(draft.isFormatted || draft.quote !== null ? draft : { ...draft, html: null });

/** Returns the message in the form that the key worker accepts and that drafts store. */
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
