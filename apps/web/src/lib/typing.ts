// Whether a key press belongs to somebody who is typing: single-key shortcuts are dead then.

const untyped = /^(?:checkbox|radio|button|submit|reset|file|range|color)$/;

/** true for text fields, selects and editable text; a checkbox takes no letters. */
export function isTypingIn(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !untyped.test(target.type);
  return target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName);
}

/** true inside a window, menu or question, which have keys of their own. */
export const isInOverlay = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('[role="dialog"], [role="menu"], [role="alertdialog"]') !== null;
