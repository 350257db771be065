// Time limits of calls made by workers: the same as those of the page (platform/transport.ts),
// which workers cannot import.
import type { Call } from '@keyfold/contract';
import { NATIVE_ORIGINS } from '@keyfold/contract/native';
import { NATIVE_REQUEST_TIMEOUT_MS, WEB_REQUEST_TIMEOUT_MS } from '../../timing.ts';

const isShell = (origin: string): boolean => (NATIVE_ORIGINS as readonly string[]).includes(origin);

/**
 * Returns the time, in milliseconds, that a worker on a page of this origin waits for an answer.
 */
export const requestLimitMs = ({ timeoutMs = 0 }: Pick<Call, 'timeoutMs'>, origin: string): number =>
  Math.max(timeoutMs, isShell(origin) ? NATIVE_REQUEST_TIMEOUT_MS : WEB_REQUEST_TIMEOUT_MS);

/** Returns a signal that aborts a worker's request after the time limit of its call. */
export const requestLimit = (call: Pick<Call, 'timeoutMs'>): AbortSignal =>
  AbortSignal.timeout(requestLimitMs(call, globalThis.location.origin));
