// Returns the focus to the element that opened a window when the window closes. The opener is
// recorded during the window's first render, before a field in it takes the focus; the UI library
// records it only afterwards.
import { useRef } from 'react';

/**
 * Returns the focused element; for a menu entry, which disappears with its menu, the button that
 * opened the menu.
 */
function findOpener(): HTMLElement | null {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || activeElement === document.body) return null;
  if (activeElement.closest('[role="menu"]') === null) return activeElement;
  return document.querySelector<HTMLElement>('[aria-haspopup="menu"][aria-expanded="true"]');
}

/**
 * For a window's popup: returns the focus to the opener if the opener is still on the page and the
 * focus did not move elsewhere.
 */
export function useOpener(isOpen: boolean) {
  const ref = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLElement | null>(null);
  const wasOpen = useRef(false);
  if (isOpen && !wasOpen.current) opener.current = findOpener();
  wasOpen.current = isOpen;
  const finalFocus = (): HTMLElement | boolean => {
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    if (!isLost && ref.current?.contains(activeElement) !== true) return false;
    return opener.current?.isConnected === true ? opener.current : true;
  };
  return { ref, finalFocus };
}
