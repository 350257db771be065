/**
 * What a failed call says, in a form that tests compare.
 */
import { CallError } from '@keyfold/contract/client';

/** Status and code of a call that must fail, such as `401 not_logged_in`. */
export const codeOf = async (call: Promise<unknown>): Promise<string> => {
  const thrown = await call.then(
    () => new Error('the call succeeded'),
    (error: unknown) => error,
  );
  if (!(thrown instanceof CallError)) throw thrown;
  return `${thrown.status} ${thrown.code}`;
};
