// Error texts for an address typed at sign-in. The server decides whether it exists; this module
// only rejects invalid addresses before anything is derived from them.
import { t } from '../../lib/language.ts';

/** Returns the text for the field; undefined when the address has a name and a domain. */
export function findAddressMistake(typed: string): string | undefined {
  const address = typed.trim();
  if (address === '') return t('Enter your address');
  return /^[^\s@]+@[^\s@]+$/.test(address)
    ? undefined
    : t('Enter your full address, including the part after @');
}
