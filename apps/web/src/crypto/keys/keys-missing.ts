// The error for a key worker whose script cannot be loaded, with the same text as any unanswered
// call. Separate from the key worker's client, so that importing only the class starts no worker.
import { NO_ANSWER } from '@keyfold/contract/client';

/**
 * The key worker's script could not be loaded, so no key operation took place: there is no
 * connection.
 */
export class KeysMissing extends Error {
  override readonly name = 'KeysMissing';
  constructor() {
    super(NO_ANSWER);
  }
}
