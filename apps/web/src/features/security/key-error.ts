// What went wrong with keys, in words: a password that does not open them is a wrong one.
import { CRYPTO_ERRORS } from '@keyfold/crypto/errors';
import { t } from '../../lib/language.ts';

/** `otherwise` has the words for every other error. */
export const keyErrorText = (error: unknown, otherwise: (error: unknown) => string): string =>
  error instanceof Error && error.message === CRYPTO_ERRORS.vault_unlock_failed
    ? t('The password is wrong')
    : otherwise(error);
