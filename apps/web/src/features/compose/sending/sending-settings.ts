// Send settings of this device: the undo period after sending. Stored in local storage under
// `undo_send_seconds`.
import { UNDO_SEND_SECONDS } from '@keyfold/contract/limits';
import { findSetting, keepSetting } from '../../../lib/local-storage.ts';

/** The choices, in seconds. */
export const UNDO_SEND_CHOICES = [0, 5, 10, 20, 30] as const;

const key = 'undo_send_seconds';

/** Returns the undo period, in seconds. */
export function undoSendSeconds(): number {
  const kept = findSetting(key);
  return UNDO_SEND_CHOICES.find(choice => String(choice) === kept) ?? UNDO_SEND_SECONDS;
}

/** Changes and stores the choice. */
export const setUndoSendSeconds = (seconds: (typeof UNDO_SEND_CHOICES)[number]): void =>
  keepSetting(key, String(seconds));
