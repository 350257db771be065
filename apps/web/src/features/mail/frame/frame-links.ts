// Links of a mail: every web link leads through `/link`, which is told when the words of the link name another site than
// its address does. Opening is done from outside, the frame never navigates. docs/spec-map.md 2.

import { INVISIBLE } from '@keyfold/mail/invisible';
import { linkPath } from '../../../paths.ts';

/** The address of the page that shows a link before it is opened; null for links that are not opened at all. */
export function linkPageFor(href: string, words = ''): string | null {
  if (!URL.canParse(href)) return null;
  const { protocol } = new URL(href);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  return linkPath(href, otherHostIn(words, href));
}

/** Signs around the name, a lock or an arrow, do not keep it from being read as one. */
const hostInWords =
  /^[^\p{L}\p{N}]*(?:https?:\/\/)?(?:[^\s/@]*@)?((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(?:\p{L}{2,24}|xn--[a-z\d-]{2,59}))(?![\p{L}\p{N}@-])/iu;

const hostOf = (address: string): string | null =>
  URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : null;

/** Whether one of the hosts is the other, or lies below it. */
const isSameSite = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);

/** The host that the words of a link name, when its address leads to another site; else null. */
export function otherHostIn(words: string, href: string): string | null {
  // Letters that nobody sees must not keep a name from being found, nor other signs for a dot.
  const plain = words.slice(0, 300).replace(INVISIBLE, '').normalize('NFKC').replaceAll('\u3002', '.');
  const found = hostInWords.exec(plain)?.[1];
  const target = hostOf(href);
  if (found === undefined || target === null) return null;
  const named = hostOf(`https://${found}`);
  return named === null || isSameSite(named, target) ? null : named;
}

/** The link around what was clicked or pointed at. */
function linkAt(event: Event): Element | null {
  return (event.target as Element | null)?.closest?.('a[href], area[href]') ?? null;
}

/** Where the link leads that the pointer or the focus is on, as people read it; null when it is none. */
export function targetAt(event: Event): string | null {
  const href = linkAt(event)?.getAttribute('href') ?? null;
  return href === null || href.startsWith('#') ? null : href;
}

/** Opens what was clicked in the frame. `onCompose` gets the whole mailto: address. */
export function followLink(event: Event, onCompose: ((mailto: string) => void) | undefined): void {
  const link = linkAt(event);
  if (link === null) return;
  event.preventDefault();
  const href = link.getAttribute('href') ?? '';
  if (href.startsWith('#') && href.length > 1) {
    let id = href.slice(1);
    try {
      id = decodeURIComponent(id);
    } catch {
      // A stray percent sign: the name is meant as it stands.
    }
    link.ownerDocument.getElementById(id)?.scrollIntoView();
    return;
  }
  if (/^mailto:/i.test(href)) {
    onCompose?.(href);
    return;
  }
  const page = linkPageFor(href, link.textContent ?? '');
  if (page !== null) window.open(page, '_blank', 'noopener,noreferrer');
}
