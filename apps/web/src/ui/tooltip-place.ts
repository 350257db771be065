// Where a tooltip goes: under its control, above it when there is no room, never outside the window.

const GAP_PX = 6;
const MARGIN_PX = 8;

type Box = {
  left: number;
  top: number;
  width: number;
  height: number;
};

/** The upper left corner of a tooltip of the given size, in pixels of the window. */
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
