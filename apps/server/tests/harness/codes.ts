/**
 * What a call says that fails, in a form that tests compare.
 */
import { CallError } from '@keyfold/contract/client';

/** Status and code of a failed call, such as `401 not_logged_in`; `none` when it succeeded. Throws any other failure. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof CallError) return `${error.status} ${error.code}`;
    throw error;
  }
  return 'none';
}
