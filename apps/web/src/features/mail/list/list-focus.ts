// Where the keyboard is in the list, and where a panel that was asked for by a key opens.
import type { PanelState } from './OrganizePanel.tsx';

/** The row that has the keyboard, by its place in the list; -1 for none. */
export function focusedRow(): number {
  const row = document.activeElement?.closest<HTMLElement>('#list li[data-index]');
  return row === null || row === undefined ? -1 : Number(row.dataset.index);
}

/** Where a panel opens that was asked for by a key: at its button, else at the row. */
export const anchorOf = (kind: PanelState['kind']): Element | null =>
  [...document.querySelectorAll(`[data-opens="${kind}"]`)].find(one => one.checkVisibility()) ??
  document.activeElement?.closest('#list li[data-index]') ??
  null;
