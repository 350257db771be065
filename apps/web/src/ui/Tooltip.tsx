// Wraps one control so that hovering or focusing it shows a short text and its shortcut.
import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { tooltipDelayMs } from '../timing.ts';
import { tooltipHandle } from './tooltip-handle.ts';

interface TooltipProps {
  text: string;
  /** The shortcut to show, as in "e" or "Shift u". */
  keys?: string | undefined;
  children: ReactElement;
}

/** Adds a tooltip to its child; the child keeps its own accessible name. */
export function Tooltip({ text, keys, children }: TooltipProps) {
  return (
    <Base.Trigger handle={tooltipHandle} payload={{ text, keys }} delay={tooltipDelayMs} render={children} />
  );
}
