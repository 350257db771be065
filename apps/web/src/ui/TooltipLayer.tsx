// Where the shared tooltip is painted. Mounted once, near the root.
import { Tooltip as Base } from '@base-ui/react/tooltip';
import { tooltipHandle } from './tooltip-handle.ts';

/** The popup of all tooltips. */
export function TooltipLayer() {
  return (
    <Base.Root handle={tooltipHandle}>
      {({ payload }) => (
        <Base.Portal>
          <Base.Positioner sideOffset={6} className="z-60">
            <Base.Popup className="flex max-w-72 items-center gap-2 rounded-nav bg-ink px-2 py-1 text-meta text-surface shadow-mid">
              {payload?.text}
              {payload?.keys !== undefined && <span className="opacity-70">{payload.keys}</span>}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      )}
    </Base.Root>
  );
}
