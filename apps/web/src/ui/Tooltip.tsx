// Gives one control a short text, shown on hover and focus. It only sets an attribute on the
// control, which TooltipLayer watches for, so a list of hundreds of buttons costs nothing.
import { cloneElement, type ReactElement } from 'react';

type TooltipProps = {
  text: string;
  /** The shortcut to show, as in "e" or "Shift u". */
  keys?: string | undefined;
  children: ReactElement<Record<string, unknown>>;
};

/**
 * Adds a tooltip to its child, which must be one element that passes its attributes on; the child
 * keeps its accessible name.
 */
export function Tooltip({ text, keys, children }: TooltipProps) {
  return cloneElement(children, { 'data-tip': text, 'data-tip-keys': keys });
}
