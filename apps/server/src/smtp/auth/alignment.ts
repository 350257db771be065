/**
 * Determines whether two domains belong to one organization, as receivers that check DMARC
 * determine it (RFC 9989 §4.10): both those that walk the DNS tree and those that use the public
 * suffix list.
 */
import { getAlignment } from 'mailauth/lib/tools.js';

const isBelow = (one: string, other: string): boolean => one.endsWith(`.${other}`);

/** Returns true even if only some receivers would agree. Domains are in lowercase ASCII. */
export const isAligned = (one: string, other: string): boolean =>
  one === other || isBelow(one, other) || isBelow(other, one) || getAlignment(one, [other]) !== false;

/**
 * Returns the organizational domain of a domain: the shortest parent domain that the public suffix
 * list still assigns to the same organization. Lowercase ASCII; a suffix itself is returned
 * unchanged.
 */
export function organizationOf(domain: string): string {
  const labels = domain.split('.');
  const names = labels.map((_, index) => labels.slice(labels.length - 1 - index).join('.'));
  return names.find(name => getAlignment(name, [domain]) !== false) ?? domain;
}
