/**
 * How long codes are refused after wrong ones. A million codes with three right ones at a time would be guessed within
 * months at a steady pace: each five wrong ones without a right one between them double the wait.
 */
import { MFA_TRIES } from '@keyfold/contract/limits';
import { CODE_WAIT_MAX_MS, CODE_WAIT_MS } from '../../../base/limits.ts';

/** The wait that begins with this many wrong codes in a row; 0 where none begins. */
export function waitAfter(wrongCodes: number): number {
  if (wrongCodes === 0 || wrongCodes % MFA_TRIES !== 0) return 0;
  return Math.min(CODE_WAIT_MAX_MS, CODE_WAIT_MS * 2 ** (wrongCodes / MFA_TRIES - 1));
}
