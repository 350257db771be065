// Fills the document of message-frame.html: base styles, the sanitised body, folded quotations, links that lead through
// `/link`. The frame runs no script (its own policy, and the sandbox); everything is done from outside. ux §4 trap 12.
// The body must have been through the sanitiser before it comes here.

const quoteSelector =
  'blockquote[type="cite"], .gmail_quote, .protonmail_quote, .tutanota_quote, .moz-cite-prefix + blockquote';

const baseStyle = `
html { overflow-x: auto; overflow-y: hidden; -webkit-text-size-adjust: 100%; }
body { margin: 0; font: 15px/23px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; background: transparent;
  overflow-wrap: anywhere; }
img, video { max-width: 100%; height: auto; }
pre { white-space: pre-wrap; }
a { color: #234dc4; }
html[data-theme="dark"] a { color: #9ab6ff; }
blockquote { margin: 0 0 0 4px; padding-inline-start: 12px; border-inline-start: 2px solid #7d8593; }
details.kf-quote > summary { list-style: none; display: inline-block; padding: 0 9px; border-radius: 8px; line-height: 16px;
  background: rgb(125 133 147 / 0.2); }
details.kf-quote > summary::-webkit-details-marker { display: none; }
img[data-blocked="hidden"] { display: none; }
img[data-blocked] { min-width: 24px; min-height: 24px; background: rgb(125 133 147 / 0.2); border-radius: 4px; }
@media print { html[data-theme] { color-scheme: light; } html[data-theme] body { color: #000; } }
`;

export interface FrameContent {
  html: string;
  theme: 'light' | 'dark';
}

/** Puts every outermost quotation behind "···". */
function foldQuotes(frame: Document): void {
  for (const quote of frame.querySelectorAll(quoteSelector)) {
    if (quote.closest('details.kf-quote') !== null) continue;
    const isWholeBody = quote.parentElement === frame.body && frame.body.children.length === 1;
    if (isWholeBody) continue;
    const fold = frame.createElement('details');
    fold.className = 'kf-quote';
    const summary = frame.createElement('summary');
    summary.textContent = '···';
    summary.setAttribute('aria-label', 'Quoted text');
    quote.replaceWith(fold);
    fold.append(summary, quote);
  }
}

/** The address of the page that shows a link before it is opened; null for links that are not opened at all. */
export function linkPageFor(href: string): string | null {
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return null;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  return `/link?url=${encodeURIComponent(href)}`;
}

/** Writes the body into the frame. */
export function fillFrame(frame: Document, { html, theme }: FrameContent): void {
  frame.documentElement.dataset.theme = theme;
  frame.documentElement.style.colorScheme = theme;
  if (frame.head.querySelector('style') === null) {
    const style = frame.createElement('style');
    style.textContent = baseStyle;
    frame.head.append(style);
  }
  frame.body.style.color = theme === 'dark' ? '#e8ebf1' : '#171b24';
  frame.body.innerHTML = html;
  foldQuotes(frame);
}
