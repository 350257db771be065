// Shows a sanitised HTML body in a frame of its own: message-frame.html, whose policy allows inline styles but no script
// and no network; pictures are blob: addresses that were fetched outside of it. The height follows the content.
import { useEffect, useRef, useState } from 'react';
import { cn } from '../../lib/class-names.ts';
import { guardDrops } from '../../lib/drop-guard.ts';
import { t } from '../../lib/language.ts';
import { createPauses } from '../../lib/pauses.ts';
import { workSliceMs } from '../../timing.ts';
import { recolourForDark } from './frame-colors.ts';
import { fillFrame } from './frame-document.ts';
import { fitFrame } from './frame-fit.ts';
import { passKey } from './frame-keys.ts';
import { followLink, targetAt } from './frame-links.ts';

/** How a body is coloured: as the theme is, on paper, or with its own colours moved to a dark ground. */
export type FrameLook = 'light' | 'dark' | 'paper' | 'recoloured';

export interface MessageFrameProps {
  /** Already sanitised. */
  html: string;
  look: FrameLook;
  foldsQuotes?: boolean;
  /** A mailto: link was clicked; its whole address. */
  onCompose?: ((mailto: string) => void) | undefined;
}

/** The body of an HTML message. */
export function MessageFrame({ html, look, foldsQuotes = true, onCompose }: MessageFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const compose = useRef(onCompose);
  compose.current = onCompose;
  const [target, setTarget] = useState<string | null>(null);
  const isDark = look === 'dark' || look === 'recoloured';
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const control = new AbortController();
    let observer: ResizeObserver | undefined;
    const fill = () => {
      const inner = element.contentDocument;
      // Until its page has loaded the frame holds another one, which would lose the body.
      if (inner?.body === null || inner === null || inner.URL !== element.src) return;
      const theme = isDark ? 'dark' : 'light';
      fillFrame(inner, { html, theme, foldsQuotes, quoteLabel: t('Quoted text') });
      const fit = () => {
        const heightPx = `${fitFrame(inner)}px`;
        if (element.style.height !== heightPx) element.style.height = heightPx;
      };
      if (look === 'recoloured') {
        const box = inner.querySelector<HTMLElement>('.mail-body') ?? inner.body;
        inner.body.style.visibility = 'hidden';
        recolourForDark(box, createPauses(workSliceMs, control.signal)).then(
          () => inner.body.style.removeProperty('visibility'),
          () => undefined,
        );
      } else inner.body.style.removeProperty('visibility');
      observer?.disconnect();
      observer = new ResizeObserver(fit);
      observer.observe(inner.body);
      observer.observe(element);
      inner.onclick = event => followLink(event, compose.current);
      inner.onauxclick = event => followLink(event, compose.current);
      inner.onmouseover = event => setTarget(targetAt(event));
      inner.onmouseout = () => setTarget(null);
      inner.addEventListener('focusin', event => setTarget(targetAt(event)));
      inner.addEventListener('focusout', () => setTarget(null));
      guardDrops(inner);
      inner.onkeydown = event => passKey(event, element);
      fit();
    };
    // Paper is white: what was made dark is written anew in its own colours, and back afterwards.
    const toPaper = () => {
      const inner = element.contentDocument;
      if (inner === null || inner.URL !== element.src) return;
      fillFrame(inner, { html, theme: 'light', foldsQuotes, quoteLabel: t('Quoted text') });
      element.style.height = `${fitFrame(inner, { onPaper: true })}px`;
    };
    element.addEventListener('load', fill);
    addEventListener('beforeprint', toPaper);
    addEventListener('afterprint', fill);
    fill();
    return () => {
      control.abort();
      removeEventListener('beforeprint', toPaper);
      removeEventListener('afterprint', fill);
      element.removeEventListener('load', fill);
      observer?.disconnect();
    };
  }, [html, look, isDark, foldsQuotes]);
  return (
    <div className={cn(look === 'paper' && 'rounded-control bg-paper p-4 max-pane:p-2')}>
      <iframe
        ref={frame}
        title={t('Message body')}
        sandbox="allow-same-origin"
        src="/message-frame.html"
        className="block h-24 w-full border-0 bg-transparent"
      />
      {target !== null && (
        <div
          aria-hidden
          dir="ltr"
          className="pointer-events-none fixed start-0 bottom-0 z-50 max-w-[min(640px,90vw)] truncate rounded-se-control border border-line bg-raised px-2.5 py-0.5 text-meta text-ink-2 shadow-low print:hidden"
        >
          {target}
        </div>
      )}
    </div>
  );
}
