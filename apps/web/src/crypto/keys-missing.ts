// What is said when the program of the key worker does not come.
import { NO_ANSWER } from '@keyfold/contract/client';

/** The program that holds the keys did not come, so nothing was done with them: there is no connection. */
export class KeysMissing extends Error {
  override readonly name = 'KeysMissing';
  constructor() {
    super(NO_ANSWER);
  }
}
