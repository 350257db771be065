/**
 * Whether two domains are one organisation's, as receivers that check DMARC hold them (RFC 9989 §4.10): those of them that walk
 * the tree of names, and those that ask the list of public suffixes.
 */
import { getAlignment } from 'mailauth/lib/tools.js';

const isBelow = (one: string, other: string): boolean => one.endsWith(`.${other}`);

/** True also where only some would say so. Domains in lowercase ASCII. */
export const isAligned = (one: string, other: string): boolean =>
  one === other || isBelow(one, other) || isBelow(other, one) || getAlignment(one, [other]) !== false;
