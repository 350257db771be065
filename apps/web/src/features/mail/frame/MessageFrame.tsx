// Shows a sanitised HTML body in a frame of its own: message-frame.html, whose policy allows inline styles but no script
// and no network; pictures are blob: addresses that were fetched outside of it. The height follows the content.
import { useEffect, useRef, useState } from 'react';
import { cn } from '../../../lib/class-names.ts';
import { guardDrops } from '../../../lib/drop-guard.ts';
import { t } from '../../../lib/language.ts';
import { createPauses, nextTask } from '../../../lib/pauses.ts';
import { WORK_SLICE_MS } from '../../../timing.ts';
import { makeReadable } from './frame-colors.ts';
import { fillFrame, setInks } from './frame-document.ts';
import { fitFrame } from './frame-fit.ts';
import { passKey } from './frame-keys.ts';
import { followLink, targetAt } from './frame-links.ts';
import { keepPlace, markPlace } from './frame-place.ts';

/** How a body is coloured: as the theme is, on paper, or with its own colours moved to a dark ground. */
export type FrameLook = 'light' | 'dark' | 'paper' | 'recoloured';

export type MessageFrameProps = {
  /** Already sanitised. */
  html: string;
  look: FrameLook;
  foldsQuotes?: boolean;
  /** A mailto: link was clicked; its whole address. */
  onCompose?: ((mailto: string) => void) | undefined;
};

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
    let coloring = new AbortController();
    let observer: ResizeObserver | undefined;
    let place = markPlace(element);
    // Colors are measured as the sender set them, which nobody is to see on a dark ground.
    const color = (inner: Document, signal: AbortSignal) => {
      setInks(inner, 'light');
      inner.body.style.setProperty('visibility', 'hidden', 'important');
      const show = () => {
        if (signal.aborted) return;
        setInks(inner, 'dark');
        inner.body.style.removeProperty('visibility');
      };
      const pauses = createPauses(WORK_SLICE_MS, signal);
      // Filling and measuring the frame was work enough for one task.
      nextTask()
        .then(() => (signal.aborted ? undefined : makeReadable(inner, pauses)))
        .then(show, show);
    };
    const fill = () => {
      const inner = element.contentDocument;
      // Until its page has loaded the frame holds another one, which would lose the body.
      if (inner?.body === null || inner === null || inner.URL !== element.src) return;
      const theme = isDark ? 'dark' : 'light';
      fillFrame(inner, { html, theme, foldsQuotes, quoteLabel: t('Quoted text') });
      const measured = () =>
        `${inner.documentElement.scrollWidth} ${element.clientWidth} ${inner.body.getBoundingClientRect().height}`;
      let fitted = '';
      const fit = () => {
        // Fitting lays the whole body out anew, which only another size is a reason for.
        if (measured() !== fitted) {
          const heightPx = `${fitFrame(inner)}px`;
          if (element.style.height !== heightPx) element.style.height = heightPx;
          fitted = measured();
        }
        if (place !== null) keepPlace(place, element);
        if ([...inner.images].every(({ complete }) => complete)) place = null;
      };
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
      coloring.abort();
      coloring = new AbortController();
      // Before the frame is measured, or it would be laid out twice.
      if (isDark) color(inner, coloring.signal);
      fit();
    };
    // Paper is white: what was made dark is written anew in its own colours, and back afterwards.
    const toPaper = () => {
      const inner = element.contentDocument;
      if (inner === null || inner.URL !== element.src) return;
      coloring.abort();
      fillFrame(inner, { html, theme: 'light', foldsQuotes, quoteLabel: t('Quoted text') });
      element.style.height = `${fitFrame(inner, { onPaper: true })}px`;
    };
    element.addEventListener('load', fill);
    addEventListener('beforeprint', toPaper);
    addEventListener('afterprint', fill);
    fill();
    return () => {
      // What grew since the last look would be taken for where one reads by the next filling.
      if (place !== null) keepPlace(place, element);
      coloring.abort();
      removeEventListener('beforeprint', toPaper);
      removeEventListener('afterprint', fill);
      element.removeEventListener('load', fill);
      observer?.disconnect();
    };
  }, [html, isDark, foldsQuotes]);
  return (
    <div className={cn(look === 'paper' && 'rounded-control bg-paper p-3 max-pane:p-2')}>
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
