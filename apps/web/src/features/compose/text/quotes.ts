// Quotes a message in a reply or forward: its HTML after sanitizing (no remote pictures, no style
// sheets, embedded pictures by Content-ID), or its text as HTML, with the lines that precede it,
// and the same in plain text.
import { sanitizeMailInSlices } from '@keyfold/mail/sanitize';
import { createPauses } from '../../../lib/pauses.ts';
import { WORK_SLICE_MS } from '../../../timing.ts';
import type { Quote } from '../draft/draft-state.ts';
import { quoteLines } from '../draft/message-body.ts';
import { escapeHtml, forwardClass } from '../rich/rich-doc.ts';
import type { Quoted } from './answers.ts';
import { cidMark, fitForQuote } from './quote-tags.ts';

const quoteStyle = 'margin:0 0 0 .8ex;border-left:2px solid silver;padding-left:1ex';

const asHtml = (text: string): string =>
  `<div style="white-space:pre-wrap">${escapeHtml(text.trimEnd()).replace(/\r?\n/g, '<br>')}</div>`;

/** Returns sanitized HTML that can be embedded in a draft. */
async function cleaned(html: string): Promise<string> {
  const { html: clean } = await sanitizeMailInSlices(
    html,
    { resolveCid: contentId => `${cidMark}${encodeURIComponent(contentId)}` },
    createPauses(WORK_SLICE_MS, new AbortController().signal),
  );
  // Style sheets would affect the surrounding draft. A blocked picture leaves an empty element
  // behind.
  return fitForQuote(clean);
}

/** Returns the quote of a message. */
export async function makeQuote({ kind, head, html, text }: Quoted): Promise<Quote> {
  const body = html === null ? asHtml(text) : await cleaned(html);
  const lines = `<div dir="auto">${head.map(escapeHtml).join('<br>')}</div>`;
  if (kind === 'forward')
    return {
      html: `<div class="${forwardClass}">${lines}<br>${body}</div>`,
      text: `${head.join('\n')}\n\n${text.trimEnd()}`,
    };
  return {
    html: `${lines}<blockquote type="cite" style="${quoteStyle}">${body}</blockquote>`,
    text: `${head.join('\n')}\n${quoteLines(text)}`,
  };
}

/** Sanitizes a stored quote again: a draft comes from the server, like any message. */
export async function cleanQuote({ html, text }: Quote): Promise<Quote> {
  const clean = await cleaned(html);
  return { html: /^<div class="mail-body">([\s\S]*)<\/div>$/.exec(clean)?.[1] ?? clean, text };
}
