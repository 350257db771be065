/** The work on the frame of a body: fills it, fits it to its content, colors it for the dark and for paper, and listens in it. */
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

type FrameBody = {
  /** Already sanitised. */
  readonly html: string;
  readonly isDark: boolean;
  readonly foldsQuotes: boolean;
  /** What begins a mail from a mailto: link now. */
  readonly compose: () => ((mailto: string) => void) | undefined;
  /** Where the link leads that is pointed at; null when none is. */
  readonly onTarget: (target: string | null) => void;
};

/** The page of the frame; null until it has loaded: the one before it would lose the body. */
function findPage(element: HTMLIFrameElement): Document | null {
  const inner = element.contentDocument;
  return inner?.body === null || inner === null || inner.URL !== element.src ? null : inner;
}

/** Colors are measured as the sender set them, which nobody is to see on a dark ground. */
function color(inner: Document, signal: AbortSignal): void {
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
}

function listen(inner: Document, element: HTMLIFrameElement, { compose, onTarget }: FrameBody): void {
  inner.onclick = event => followLink(event, compose());
  inner.onauxclick = event => followLink(event, compose());
  inner.onmouseover = event => onTarget(targetAt(event));
  inner.onmouseout = () => onTarget(null);
  inner.addEventListener('focusin', event => onTarget(targetAt(event)));
  inner.addEventListener('focusout', () => onTarget(null));
  guardDrops(inner);
  inner.onkeydown = event => passKey(event, element);
}

/** Fits the frame to its page whenever one of them changes; `onFitted` comes after each look. */
function fitToPage(inner: Document, element: HTMLIFrameElement, onFitted: () => void) {
  const measured = () =>
    `${inner.documentElement.scrollWidth} ${element.clientWidth} ${inner.body.getBoundingClientRect().height}`;
  let fitted = '';
  const fit = () => {
    // Fitting lays out the whole body again: only a new size is worth that.
    if (measured() !== fitted) {
      const heightPx = `${fitFrame(inner)}px`;
      if (element.style.height !== heightPx) element.style.height = heightPx;
      fitted = measured();
    }
    onFitted();
  };
  const observer = new ResizeObserver(fit);
  observer.observe(inner.body);
  observer.observe(element);
  return { fit, stop: () => observer.disconnect() };
}

/** Shows the body in the frame; returns the way to stop. */
export function showBody(element: HTMLIFrameElement, body: FrameBody): () => void {
  const { html, isDark, foldsQuotes } = body;
  let coloring = new AbortController();
  let fitting: ReturnType<typeof fitToPage> | undefined;
  let place = markPlace(element);
  const fill = () => {
    const inner = findPage(element);
    if (inner === null) return;
    fillFrame(inner, { html, theme: isDark ? 'dark' : 'light', foldsQuotes, quoteLabel: t('Quoted text') });
    fitting?.stop();
    fitting = fitToPage(inner, element, () => {
      if (place !== null) keepPlace(place, element);
      if ([...inner.images].every(({ complete }) => complete)) place = null;
    });
    listen(inner, element, body);
    coloring.abort();
    coloring = new AbortController();
    // Before the frame is measured, or it would be laid out twice.
    if (isDark) color(inner, coloring.signal);
    fitting.fit();
  };
  // Paper is white: dark colors are put back to the message's own, and to dark again afterwards.
  const toPaper = () => {
    const inner = findPage(element);
    if (inner === null) return;
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
    fitting?.stop();
  };
}
