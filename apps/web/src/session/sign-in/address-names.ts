// What the first half of an address may be made of: said by every form that makes one, before and after it is wrong.
import { USERNAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { t } from '../../lib/language.ts';

/** The rule in words. */
export const usernameHint = (): string =>
  t('Letters, digits, dots, hyphens and underscores, with a letter or digit at both ends');

/** What is wrong with the first half of an address, or null. */
export function findUsernameProblem(typed: string): string | null {
  const username = typed.trim();
  if (username === '') return t('Choose an address');
  if (username.length > USERNAME_MAX_CHARACTERS)
    return t('At most {count} characters', { count: USERNAME_MAX_CHARACTERS });
  if (/^[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?$/u.test(username)) return null;
  return t('Letters, digits, dots, hyphens and underscores only, with a letter or digit at both ends');
}
