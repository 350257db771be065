// The title of the tab, the only thing seen of a tab that is not: how much is unread, the page, the product. History and
// readers of the screen tell pages apart by it. Mail has no name of its own there, and least of all its subject.
import { useEffect } from 'react';
import { formatCount } from './words.ts';

let page = '';
let unread = 0;

function write(): void {
  document.title = `${unread > 0 ? `(${formatCount(unread)}) ` : ''}${page && `${page} · `}Keyfold`;
}

/** Puts the number of unread mails before the title; 0 takes it away. */
export function titleUnread(count: number): void {
  unread = count;
  write();
}

/** Names the page while it is shown, as a heading does; null leaves the title to another part of it. */
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
