// Keyboard focus in the list, and the position of panels that a key opens.
import type { PanelState } from './OrganizePanel.tsx';

/** Returns the index of the focused row, or -1. */
export function focusedRow(): number {
  const row = document.activeElement?.closest<HTMLElement>('#list li[data-index]');
  return row === null || row === undefined ? -1 : Number(row.dataset.index);
}

/** Returns the element beside which a panel opened by a key appears: its button, else the row. */
export const anchorOf = (kind: PanelState['kind']): Element | null =>
  [...document.querySelectorAll(`[data-opens="${kind}"]`)].find(one => one.checkVisibility()) ??
  document.activeElement?.closest('#list li[data-index]') ??
  null;
