// The draggable separator between two panes; arrow keys, Home and End move it too.
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';

const KEY_STEP_PX = 16;

type PaneResizerProps = {
  label: string;
  width: number;
  min: number;
  max: number;
  /** Called with a width in pixels between `min` and `max` while dragging. */
  onResize: (width: number) => void;
};

/** A vertical separator that changes the width of the pane before it. */
export function PaneResizer({ label, width, min, max, onResize }: PaneResizerProps) {
  const start = useRef<{ x: number; width: number } | null>(null);
  const clamp = (next: number) => Math.round(Math.min(max, Math.max(min, next)));
  const direction = () => (document.documentElement.dir === 'rtl' ? -1 : 1);
  const drag = (event: PointerEvent) => {
    if (start.current === null) return;
    onResize(clamp(start.current.width + (event.clientX - start.current.x) * direction()));
  };
  const key = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: width - KEY_STEP_PX * direction(),
      ArrowRight: width + KEY_STEP_PX * direction(),
      Home: min,
      End: max,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onResize(clamp(next));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a movable separator is a widget; <hr> cannot be one.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={key}
      onPointerDown={event => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        start.current = null;
      }}
      className="absolute inset-y-0 -end-1 z-10 w-2 cursor-col-resize touch-none after:absolute after:inset-y-0 after:start-[3px] after:w-0.5 hover:after:bg-accent focus-visible:outline-none focus-visible:after:bg-focus"
    />
  );
}
