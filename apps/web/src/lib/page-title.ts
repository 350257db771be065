// Title of the tab, the only part of a background tab that is visible: the unread count, the page,
// the product. The browser history and screen readers identify pages by it. It never contains the
// name of a message, least of all its subject.
import { useEffect } from 'react';
import { formatCount } from './words.ts';

let page = '';
let unread = 0;

function write(): void {
  document.title = `${unread > 0 ? `(${formatCount(unread)}) ` : ''}${page && `${page} · `}Keyfold`;
}

/** Puts the number of unread messages before the title; 0 removes it. */
export function titleUnread(count: number): void {
  unread = count;
  write();
}

/**
 * Sets the page's name in the title while the page is shown; null leaves the title to another
 * component.
 */
export function usePageTitle(name: string | null): void {
  useEffect(() => {
    if (name === null) return;
    page = name;
    write();
    return () => {
      page = '';
      write();
    };
  }, [name]);
}
