// What the sign-in form needs once somebody uses it, as one chunk: the derivations' worker, the calls, the words.
import { CallError } from '@keyfold/contract/client';
import { t, term } from '../lib/language.ts';
import { callErrorText } from './error-text.ts';
import { watchSession } from './start-session.ts';

export { signIn } from './session.ts';

const wrongPassword = term('Wrong address or password');

watchSession();

/** One text for every kind of refusal (ux 2.3; readings 88). */
export function signinErrorText(error: unknown): string {
  return error instanceof CallError && error.status === 401 ? t(wrongPassword) : callErrorText(error);
}
