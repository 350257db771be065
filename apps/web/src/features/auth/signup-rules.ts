// Local validation of the sign-up form: the password rules of docs/spec-map.md 5, and that no field
// is blank.
import { findPasswordProblem, NAME_MAX_CHARACTERS, PASSWORD_RULES } from '@keyfold/contract/limits';
import { t } from '../../lib/language.ts';
import { findUsernameProblem } from '../../session/sign-in/address-names.ts';

export type SignupValues = {
  name: string;
  username: string;
  domain: string;
  password: string;
  affiliateCode: string;
};

export type SignupErrors = Partial<Record<keyof SignupValues, string>>;

/**
 * Returns the rules in short form, in the order of the specification; its two length rules share a
 * line.
 */
export function passwordRules(password: string): { text: string; met: boolean }[] {
  const [short, long, upper, lower, digit] = PASSWORD_RULES;
  const holds = (rule: (typeof PASSWORD_RULES)[number] | undefined) => rule?.holds(password) ?? true;
  return [
    { text: t('8 to 64 characters'), met: holds(short) && holds(long) },
    { text: t('An uppercase letter'), met: holds(upper) },
    { text: t('A lowercase letter'), met: holds(lower) },
    { text: t('A digit'), met: holds(digit) },
  ];
}

/**
 * Splits a complete address typed into the username field, if its domain is one of this service;
 * otherwise null.
 */
export function splitTypedAddress(
  typed: string,
  domains: readonly string[],
): { readonly username: string; readonly domain: string } | null {
  const text = typed.trim();
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1).toLowerCase();
  return at > 0 && domains.includes(domain) ? { username: text.slice(0, at), domain } : null;
}

/**
 * Returns the code from a link such as `/app/signup#code=7K2M-…`; it is in the fragment so that no
 * server log contains it.
 */
export function codeOfLink(fragment: string): string {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('code')?.slice(0, 64) ?? '';
}

/** Returns the errors of the form by field; empty when it can be submitted. */
export function checkSignup(values: SignupValues, needsInvitation = false): SignupErrors {
  const errors: SignupErrors = {};
  const name = values.name.trim();
  if (name === '') errors.name = t('Enter a name. Others see it next to your address.');
  else if ([...name].length > NAME_MAX_CHARACTERS)
    errors.name = t('At most {count} characters', { count: NAME_MAX_CHARACTERS });
  const username = findUsernameProblem(values.username);
  if (username !== null) errors.username = username;
  const problem = findPasswordProblem(values.password);
  if (problem !== null) errors.password = t(problem);
  if (needsInvitation && values.affiliateCode.trim() === '')
    errors.affiliateCode = t('Enter your invitation code');
  return errors;
}
