// Gives one control a short text that is shown while it is pointed at or focused. Only marks the control: TooltipLayer
// watches for the marks, so a list of hundreds of buttons costs nothing.
import { cloneElement, type ReactElement } from 'react';

type TooltipProps = {
  text: string;
  /** The shortcut to show, as in "e" or "Shift u". */
  keys?: string | undefined;
  children: ReactElement<Record<string, unknown>>;
};

/** Adds a tooltip to its child, which must be one element that passes its attributes on; its name stays its own. */
export function Tooltip({ text, keys, children }: TooltipProps) {
  return cloneElement(children, { 'data-tip': text, 'data-tip-keys': keys });
}
