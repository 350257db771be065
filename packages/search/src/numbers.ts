// Numbers that people group as they like: accounts, cards, phones. `DE89370400440532013000` is found in
// `DE89 3704 0044 0532 0130 00`, and the other way round.
import { fold } from './fold.ts';

/** Digits from which on it is such a number; shorter ones are amounts and years. */
const DIGITS_MIN = 6;
const LETTERS_MAX = 40;
const NUMBER = /^[+(]*\p{L}{0,4}\d[\d\s.\-/()]*\d$/u;
/** A number of an account may have letters within: `GB29NWBK60161331926819`. */
const ACCOUNT = /^[a-z]{2}\d{2}[a-z0-9]{8,30}$/;
const BETWEEN = /(?<=[0-9])[\s\u00a0\u202f.\-/()]{1,3}(?=[0-9])/gu;
const ACCOUNT_BETWEEN = /(?<=[a-z0-9])[\s\u00a0\u202f.-](?=[a-z0-9])/gu;

const digitCount = (text: string): number => text.replace(/\D/g, '').length;

/** The number that a text of a query is, without what groups it; null where it is none. */
export function findNumber(text: string): string | null {
  const folded = fold(text).trim();
  const bare = folded.replace(/[^\p{L}\d]/gu, '');
  if (bare.length > LETTERS_MAX || digitCount(bare) < DIGITS_MIN) return null;
  return NUMBER.test(folded) || ACCOUNT.test(bare) ? bare : null;
}

/** Whether a text has the number, however it is grouped. */
export function holdsNumber(text: string, number: string): boolean {
  const folded = fold(text);
  if (folded.replace(BETWEEN, '').includes(number)) return true;
  return /[a-z]/.test(number) && folded.replace(ACCOUNT_BETWEEN, '').includes(number);
}

/** Finds the number in a text that is shown, however it is grouped there. */
export const numberPattern = (number: string): RegExp =>
  new RegExp([...number].join('[\\s\\u00a0\\u202f.\\-/()]{0,3}'), 'giu');
