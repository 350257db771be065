// Numbers that people group freely: accounts, cards, phone numbers. `DE89370400440532013000`
// matches `DE89 3704 0044 0532 0130 00` and vice versa.
import { fold } from './fold.ts';

/** Minimum digits of such a number. Shorter ones are amounts and years. */
const DIGITS_MIN = 6;
const LETTERS_MAX = 40;
const NUMBER = /^[+(]*\p{L}{0,4}\d[\d\s.\-/()]*\d$/u;
/** Account numbers may contain letters: `GB29NWBK60161331926819`. */
const ACCOUNT = /^[a-z]{2}\d{2}[a-z0-9]{8,30}$/;
const BETWEEN = /(?<=[0-9])[\s\u00a0\u202f.\-/()]{1,3}(?=[0-9])/gu;
const ACCOUNT_BETWEEN = /(?<=[a-z0-9])[\s\u00a0\u202f.-](?=[a-z0-9])/gu;

const digitCount = (text: string): number => text.replace(/\D/g, '').length;

/**
 * Returns the number that a query text represents, without grouping characters, or null if it is
 * not a number.
 */
export function findNumber(text: string): string | null {
  const folded = fold(text).trim();
  const bare = folded.replace(/[^\p{L}\d]/gu, '');
  if (bare.length > LETTERS_MAX || digitCount(bare) < DIGITS_MIN) return null;
  return NUMBER.test(folded) || ACCOUNT.test(bare) ? bare : null;
}

/** Reports whether a text contains the number, in any grouping. */
export function holdsNumber(text: string, number: string): boolean {
  const folded = fold(text);
  if (folded.replace(BETWEEN, '').includes(number)) return true;
  return /[a-z]/.test(number) && folded.replace(ACCOUNT_BETWEEN, '').includes(number);
}

/** A pattern that finds the number in displayed text, in any grouping. */
export const numberPattern = (number: string): RegExp =>
  new RegExp([...number].join('[\\s\\u00a0\\u202f.\\-/()]{0,3}'), 'giu');
