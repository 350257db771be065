// The one tooltip of the page: every trigger hands it its text, so a toolbar does not carry twenty popups.
import { Tooltip } from '@base-ui/react/tooltip';

export interface TooltipContent {
  text: string;
  keys?: string | undefined;
}

/** Connects all triggers with the layer in TooltipLayer. */
export const tooltipHandle = Tooltip.createHandle<TooltipContent>();
