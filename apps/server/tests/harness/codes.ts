/** The error of a failed call in a form that tests can compare. */
import { CallError } from '@keyfold/contract/client';

/**
 * Returns the status and code of a failed call, such as `401 not_logged_in`, or `none` when it
 * succeeded. Throws any other failure.
 */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof CallError) return `${error.status} ${error.code}`;
    throw error;
  }
  return 'none';
}
