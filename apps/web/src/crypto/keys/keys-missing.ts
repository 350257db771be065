// What is said when the program of the key worker does not come: the words of any call without an answer. It stands apart from
// the key worker's client, so that whoever only asks for the class starts nothing.
import { NO_ANSWER } from '@keyfold/contract/client';

/** The program that holds the keys did not come, so nothing was done with them: there is no connection. */
export class KeysMissing extends Error {
  override readonly name = 'KeysMissing';
  constructor() {
    super(NO_ANSWER);
  }
}
