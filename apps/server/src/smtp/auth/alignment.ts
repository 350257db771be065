/**
 * Whether two domains are one organisation's, as receivers that check DMARC hold them (RFC 9989 §4.10): those of them that walk
 * the tree of names, and those that ask the list of public suffixes.
 */
import { getAlignment } from 'mailauth/lib/tools.js';

const isBelow = (one: string, other: string): boolean => one.endsWith(`.${other}`);

/** True also where only some would say so. Domains in lowercase ASCII. */
export const isAligned = (one: string, other: string): boolean =>
  one === other || isBelow(one, other) || isBelow(other, one) || getAlignment(one, [other]) !== false;

/**
 * The organisational domain of a domain: the shortest name above it that is still held to be the same organisation's by those who
 * ask the list of public suffixes. Lowercase ASCII; a suffix itself stays as it is.
 */
export function organizationOf(domain: string): string {
  const labels = domain.split('.');
  const names = labels.map((_, index) => labels.slice(labels.length - 1 - index).join('.'));
  return names.find(name => getAlignment(name, [domain]) !== false) ?? domain;
}
