/**
 * Shows a body in its frame: fills the frame, fits it to the content, adapts the colors for dark
 * mode and for printing, and handles events inside it.
 */
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
  /** Already sanitized. */
  readonly html: string;
  readonly isDark: boolean;
  readonly foldsQuotes: boolean;
  /** Returns the current handler that starts a draft from a mailto: link. */
  readonly compose: () => ((mailto: string) => void) | undefined;
  /** Called with the address of the link under the pointer, or null when there is none. */
  readonly onTarget: (target: string | null) => void;
};

/**
 * Returns the document of the frame, or null until it has loaded. A body written to the initial
 * document would be lost.
 */
function findPage(element: HTMLIFrameElement): Document | null {
  const inner = element.contentDocument;
  return inner?.body === null || inner === null || inner.URL !== element.src ? null : inner;
}

/**
 * Colors are measured as the sender set them, and these must never be visible on a dark background.
 */
function color(inner: Document, signal: AbortSignal): void {
  setInks(inner, 'light');
  inner.body.style.setProperty('visibility', 'hidden', 'important');
  const show = () => {
    if (signal.aborted) return;
    setInks(inner, 'dark');
    inner.body.style.removeProperty('visibility');
  };
  const pauses = createPauses(WORK_SLICE_MS, signal);
  // Filling and measuring the frame already took enough time for one task.
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

/**
 * Fits the frame to its content whenever either of them changes. `onFitted` is called after each
 * check.
 */
function fitToPage(inner: Document, element: HTMLIFrameElement, onFitted: () => void) {
  const measured = () =>
    `${inner.documentElement.scrollWidth} ${element.clientWidth} ${inner.body.getBoundingClientRect().height}`;
  let fitted = '';
  const fit = () => {
    // Fitting lays out the whole body again, so do it only for a new size.
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

/** Shows the body in the frame. Returns the function that stops it. */
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
    // Before the frame is measured, because otherwise it would be laid out twice.
    if (isDark) color(inner, coloring.signal);
    fitting.fit();
  };
  // Paper is white: printing restores the message's own colors, then the dark ones are applied
  // again.
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
    // Otherwise the next fill would take the position shifted by recent growth for the reading
    // position.
    if (place !== null) keepPlace(place, element);
    coloring.abort();
    removeEventListener('beforeprint', toPaper);
    removeEventListener('afterprint', fill);
    element.removeEventListener('load', fill);
    fitting?.stop();
  };
}
