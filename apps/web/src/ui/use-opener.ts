// Where the keyboard goes when a window closes: back to what opened it. Noted while the window is drawn for the first time,
// before a field in it takes the focus; the kit itself looks only afterwards.
import { useRef } from 'react';

/** What has the focus; for an entry of a menu, which goes with the menu, the button that opened it. */
function findOpener(): HTMLElement | null {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || activeElement === document.body) return null;
  if (activeElement.closest('[role="menu"]') === null) return activeElement;
  return document.querySelector<HTMLElement>('[aria-haspopup="menu"][aria-expanded="true"]');
}

/** For a window's popup: its opener gets the focus back while it is on the page, unless the focus went elsewhere. */
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
