// Where a tooltip goes: under its control, above it when there is no room, never outside the window.

const gapPx = 6;
const marginPx = 8;

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The upper left corner of a tooltip of the given size, in pixels of the window. */
export function placeTooltip(
  control: Box,
  tip: Pick<Box, 'width' | 'height'>,
  view: Pick<Box, 'width' | 'height'>,
) {
  const centred = control.left + control.width / 2 - tip.width / 2;
  const left = Math.max(marginPx, Math.min(centred, view.width - tip.width - marginPx));
  const below = control.top + control.height + gapPx;
  const fits = below + tip.height + marginPx <= view.height;
  const top = fits ? below : Math.max(marginPx, control.top - tip.height - gapPx);
  return { left: Math.round(left), top: Math.round(top) };
}
