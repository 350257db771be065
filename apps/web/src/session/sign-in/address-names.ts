// Rules for the local part of an address, shown by every form that creates one, both as a hint and
// as an error.
import { USERNAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { t } from '../../lib/language.ts';

/** Returns the rule as text. */
export const usernameHint = (): string =>
  t('Use letters, digits, dots, hyphens and underscores. Start and end with a letter or digit.');

/** Returns the problem with a local part, or null. */
export function findUsernameProblem(typed: string): string | null {
  const username = typed.trim();
  if (username === '') return t('Choose an address');
  if (username.length > USERNAME_MAX_CHARACTERS)
    return t('At most {count} characters', { count: USERNAME_MAX_CHARACTERS });
  if (/^[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?$/u.test(username)) return null;
  return t('Use only letters, digits, dots, hyphens and underscores. Start and end with a letter or digit.');
}
