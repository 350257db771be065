// A mail as the quote of an answer or a forward: its HTML cleaned by the mail sanitiser (no remote pictures, no sheets,
// pictures of its own by Content-ID), or its text as HTML; with the words before it, and the same in plain text.
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

/** Clean HTML that can stand inside a letter. */
async function cleaned(html: string): Promise<string> {
  const { html: clean } = await sanitizeMailInSlices(
    html,
    { resolveCid: contentId => `${cidMark}${encodeURIComponent(contentId)}` },
    createPauses(WORK_SLICE_MS, new AbortController().signal),
  );
  // Sheets would change the letter around them. What is blocked leaves an empty picture behind.
  return fitForQuote(clean);
}

/** The quote of a mail. */
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

/** A stored quote, cleaned again: a draft comes from the server like any mail. */
export async function cleanQuote({ html, text }: Quote): Promise<Quote> {
  const clean = await cleaned(html);
  return { html: /^<div class="mail-body">([\s\S]*)<\/div>$/.exec(clean)?.[1] ?? clean, text };
}
