// Fills the document of message-frame.html: base styles, the sanitised body, folded quotations. The frame runs no script
// (its own policy, and the sandbox); everything is done from outside. ux §4 trap 12.
// The body must have been through the sanitiser before it comes here.
import { formatRgb } from '../../lib/colors.ts';
import { darkInk } from './frame-colors.ts';
import { frameFont, lendFont } from './frame-font.ts';
import { foldQuotes } from './frame-quotes.ts';

// The layer comes first, so that nothing a mail calls important wins over it: words of pseudo-elements cannot be measured.
const baseStyle = `
@layer kf { *::before, *::after, *::first-line, *::first-letter, *::marker { color: inherit !important;
  background: none !important; -webkit-text-fill-color: currentcolor !important; } }
html { overflow-x: auto; overflow-y: hidden; -webkit-text-size-adjust: 100%; }
body { margin: 0; font: 15px/23px "${frameFont}", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; background: transparent;
  overflow-wrap: anywhere; }
table { overflow-wrap: break-word; }
img, video { max-width: 100%; height: auto; }
pre { white-space: pre-wrap; }
a { color: #234dc4; }
html[data-theme="dark"] a { color: #9ab6ff; }
blockquote { margin: 0 0 0 4px; padding-inline-start: 12px; border-inline-start: 2px solid #7d8593; }
details.kf-quote > summary { list-style: none; display: inline-block; margin: 6px 0; padding: 0 9px; border-radius: 8px;
  line-height: 16px; background: rgb(125 133 147 / 0.2); }
details.kf-quote > summary::-webkit-details-marker { display: none; }
img[data-blocked="hidden"] { display: none; }
img[data-blocked] { min-width: 24px; min-height: 24px; background: rgb(125 133 147 / 0.2); border-radius: 4px; }
mark.kf-hit { background: #ffe08a; color: #171b24; border-radius: 2px; }
@media print { html[data-theme] { color-scheme: light; } html[data-theme] body { color: #000; } }
`;

export interface FrameContent {
  html: string;
  /** How the mail is shown: on a light or a dark ground. */
  theme: 'light' | 'dark';
  /** The earlier mail at its end is put behind "···". */
  foldsQuotes: boolean;
  /** What the control that unfolds it is called. */
  quoteLabel: string;
}

/** Writes the body into the frame. */
export function fillFrame(frame: Document, { html, theme, foldsQuotes, quoteLabel }: FrameContent): void {
  frame.documentElement.dataset.theme = theme;
  frame.documentElement.style.setProperty('color-scheme', theme, 'important');
  if (frame.head.querySelector('style') === null) {
    const style = frame.createElement('style');
    style.textContent = baseStyle;
    frame.head.append(style);
    lendFont(frame);
  }
  frame.body.style.color = theme === 'dark' ? formatRgb(darkInk) : '#171b24';
  frame.body.innerHTML = html;
  if (foldsQuotes) foldQuotes(frame.body, quoteLabel);
}
