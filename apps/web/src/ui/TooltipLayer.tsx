// Renders the tooltip of the hovered or focused control: one element for the whole page, driven by
// the attributes that Tooltip sets. Esc, a click and scrolling hide it.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { TOOLTIP_DELAY_MS } from '../timing.ts';

type Shown = {
  control: HTMLElement;
  text: string;
  keys: string | undefined;
};

const markedControl = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null;

/** An open popup of the control would overlap its tooltip. */
const isDue = (control: HTMLElement): boolean =>
  control.isConnected && control.getAttribute('aria-expanded') !== 'true';

/** Listens on the document and reports the control whose tooltip is due, or null. */
function watchControls(show: (control: HTMLElement | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitingFor: HTMLElement | null = null;
  const point = (control: HTMLElement | null, delayMs: number) => {
    if (control === waitingFor) return;
    waitingFor = control;
    clearTimeout(timer);
    if (control === null) show(null);
    else timer = setTimeout(() => show(isDue(control) ? control : null), delayMs);
  };
  const listening = new AbortController();
  const { signal } = listening;
  const hide = () => point(null, 0);
  document.addEventListener(
    'pointerover',
    event => {
      if (event.pointerType === 'mouse') point(markedControl(event.target), TOOLTIP_DELAY_MS);
    },
    { signal },
  );
  document.addEventListener(
    'focusin',
    event => {
      const control = markedControl(event.target);
      if (control?.matches(':focus-visible') ?? false) point(control, 0);
    },
    { signal },
  );
  document.addEventListener('focusout', hide, { signal });
  document.addEventListener('pointerdown', hide, { signal });
  document.addEventListener('scroll', hide, { signal, capture: true });
  document.addEventListener('keydown', event => event.key === 'Escape' && hide(), { signal });
  return () => {
    clearTimeout(timer);
    listening.abort();
  };
}

/** Mounted once, near the root. */
export function TooltipLayer() {
  const [shown, setShown] = useState<Shown | null>(null);
  const tip = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      watchControls(control => {
        const text = control?.dataset.tip ?? '';
        setShown(control === null || text === '' ? null : { control, text, keys: control.dataset.tipKeys });
      }),
    [],
  );
  useLayoutEffect(() => {
    const element = tip.current;
    if (shown === null || element === null) return;
    const view = { width: innerWidth, height: innerHeight };
    const { left, top } = placeTooltip(
      shown.control.getBoundingClientRect(),
      element.getBoundingClientRect(),
      view,
    );
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  }, [shown]);
  if (shown === null) return null;
  return (
    <div
      ref={tip}
      role="tooltip"
      className="pointer-events-none fixed top-0 left-0 z-60 flex max-w-72 items-center gap-2 rounded-nav bg-ink px-2 py-1 text-meta text-surface shadow-mid print:hidden"
    >
      {shown.text}
      {shown.keys !== undefined && <span className="opacity-70">{shown.keys}</span>}
    </div>
  );
}

const GAP_PX = 6;
const MARGIN_PX = 8;

type Box = {
  left: number;
  top: number;
  width: number;
  height: number;
};

/**
 * Returns the top left corner of a tooltip, in pixels of the window: below its control, above it if
 * there is no space below, never outside the window.
 */
export function placeTooltip(
  control: Box,
  tip: Pick<Box, 'width' | 'height'>,
  view: Pick<Box, 'width' | 'height'>,
) {
  const centred = control.left + control.width / 2 - tip.width / 2;
  const left = Math.max(MARGIN_PX, Math.min(centred, view.width - tip.width - MARGIN_PX));
  const below = control.top + control.height + GAP_PX;
  const fits = below + tip.height + MARGIN_PX <= view.height;
  const top = fits ? below : Math.max(MARGIN_PX, control.top - tip.height - GAP_PX);
  return { left: Math.round(left), top: Math.round(top) };
}
