// Whether a session was begun in this browser, so that it is worth asking the server for. Knows of storage alone.
import { findStored } from '../../platform/storage.ts';
import type { SessionStatus } from '../state/session-state.ts';

/** Whether somebody signed in here and did not sign out. */
export const isKnownHere = (): boolean => findStored('user') !== null || findStored('auth_backup') !== null;

/** Whether an open page waits for the answer, and shows no form meanwhile. */
export const isEntering = (status: SessionStatus): boolean =>
  status === 'checking' || (status === 'unknown' && isKnownHere());
