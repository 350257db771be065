// Whether a session was started in this browser, so that a session check is worthwhile. Depends
// only on storage.
import { findStored } from '../../platform/storage.ts';
import type { SessionStatus } from '../state/session-state.ts';

/** Returns whether a user signed in here and did not sign out. */
export const isKnownHere = (): boolean => findStored('user') !== null || findStored('auth_backup') !== null;

/** Returns whether an open page is waiting for the session check, and shows no form meanwhile. */
export const isEntering = (status: SessionStatus): boolean =>
  status === 'checking' || (status === 'unknown' && isKnownHere());
