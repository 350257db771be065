// Determines whether a key press is text input, in which case single-key shortcuts are disabled.

const untyped = /^(?:checkbox|radio|button|submit|reset|file|range|color)$/;

/** true for text fields, selects and editable text; a checkbox accepts no text. */
export function isTypingIn(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !untyped.test(target.type);
  return target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName);
}

/** true inside a dialog, menu or confirmation, which handle their own keys. */
export const isInOverlay = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('[role="dialog"], [role="menu"], [role="alertdialog"]') !== null;
