// What is said of a part of the program that did not come: what is known about why, and nothing that is not.
import { t } from './language.ts';
import type { ChunkFailure } from './load-chunk.ts';

/** Why, in one or two sentences. */
export function chunkFailureText(reason: ChunkFailure): string {
  switch (reason) {
    case 'missing':
      return t(
        'The server does not have this file. It may have been replaced or removed since this page was opened.',
      );
    case 'timeout':
      return t('The file did not arrive within two minutes. The connection may be slow or broken.');
    case 'error':
      return t('The file could not be fetched or run. The connection may be broken, or something blocks it.');
  }
}
