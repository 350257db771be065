// Error texts for key operations: a password that does not decrypt the keys is reported as
// incorrect.
import { CRYPTO_ERRORS } from '@keyfold/crypto/errors';
import { t } from '../../lib/language.ts';

/** Returns the text of an error. `otherwise` handles all other errors. */
export const keyErrorText = (error: unknown, otherwise: (error: unknown) => string): string =>
  error instanceof Error && error.message === CRYPTO_ERRORS.vault_unlock_failed
    ? t('Incorrect password')
    : otherwise(error);
