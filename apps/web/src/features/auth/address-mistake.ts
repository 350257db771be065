// What is wrong with an address that somebody typed to sign in with, in words. The server judges whether it exists; here
// only what cannot be one is told, before anything is derived from it.
import { t } from '../../lib/language.ts';

/** The text for the field, undefined when the address has a name and a domain. */
export function findAddressMistake(typed: string): string | undefined {
  const address = typed.trim();
  if (address === '') return t('Type your address');
  return /^[^\s@]+@[^\s@]+$/.test(address)
    ? undefined
    : t('Type your whole address, with what follows the @');
}
