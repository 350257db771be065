// Links of a message. Every web link goes through `/link`, which also receives the link text's site
// when it differs from that of the address. Links are opened from outside; the frame never
// navigates. docs/spec-map.md 2.

import { INVISIBLE } from '@keyfold/mail/invisible';
import { linkPath } from '../../../paths.ts';

/**
 * Returns the address of the page that shows a link before opening it, or null for links that are
 * never opened.
 */
export function linkPageFor(href: string, words = ''): string | null {
  if (!URL.canParse(href)) return null;
  const { protocol } = new URL(href);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  return linkPath(href, otherHostIn(words, href));
}

/** Matches a host name even with symbols around it, such as a lock or an arrow. */
const hostInWords =
  /^[^\p{L}\p{N}]*(?:https?:\/\/)?(?:[^\s/@]*@)?((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(?:\p{L}{2,24}|xn--[a-z\d-]{2,59}))(?![\p{L}\p{N}@-])/iu;

const hostOf = (address: string): string | null =>
  URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : null;

/** Returns whether one host equals the other or is a subdomain of it. */
const isSameSite = (one: string, other: string): boolean =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);

/** Returns the host that the link text names when the address leads to another site, else null. */
export function otherHostIn(words: string, href: string): string | null {
  // Invisible characters and other forms of the dot must not hide a host name.
  const plain = words.slice(0, 300).replace(INVISIBLE, '').normalize('NFKC').replaceAll('\u3002', '.');
  const found = hostInWords.exec(plain)?.[1];
  const target = hostOf(href);
  if (found === undefined || target === null) return null;
  const named = hostOf(`https://${found}`);
  return named === null || isSameSite(named, target) ? null : named;
}

/** Returns the link around the event's target. */
function linkAt(event: Event): Element | null {
  return (event.target as Element | null)?.closest?.('a[href], area[href]') ?? null;
}

/**
 * Returns the readable address of the link under the pointer or with the focus, or null when there
 * is no link.
 */
export function targetAt(event: Event): string | null {
  const href = linkAt(event)?.getAttribute('href') ?? null;
  return href === null || href.startsWith('#') ? null : href;
}

/** Opens the link that was clicked in the frame. `onCompose` receives the whole mailto: address. */
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
      // A stray percent sign: keep the name as written.
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
