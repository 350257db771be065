// Maps the state of a draft session to the composer's view model.
import { trustOf } from '../../../session/trust/recipient-keys.ts';
import {
  type Addressee,
  type DraftFile,
  type DraftState,
  isGoingOut,
  isUnknown,
  type SaveState,
} from './draft-state.ts';
import type { ComposerPhase, DraftFileView, DraftView, RecipientView } from './view-model.ts';

/**
 * Returns the encryption a recipient gets. The key of a recipient who once got a sealed message is
 * pinned: a different key, or suddenly none, counts as a changed key, because a server could
 * otherwise read messages meant for that recipient (docs/interpretations.md#19).
 */
export function toRecipientView({ person, keys, isInvalid }: Addressee): RecipientView {
  if (isInvalid) return { ...person, state: 'invalid' };
  if (keys === null) return { ...person, state: 'looking_up' };
  const trust = trustOf(person.address, keys);
  return { ...person, state: trust === 'plain' && isUnknown({ keys }) ? 'unknown' : trust };
}

/** Maps a file that is being added. */
export const toFileView = (file: DraftFile): DraftFileView => ({
  id: file.localId,
  name: file.name,
  sizeBytes: file.sizeBytes,
  state: file.stage,
  progressPercent: file.percent,
  ...(file.error === null ? {} : { error: file.error }),
});

/**
 * Maps the save state. While the browser reports a connection, a failure is shown as one that can
 * be retried.
 */
export function toDraftView(save: SaveState): DraftView {
  if (save.kind === 'saved') return { kind: 'saved', at: save.at };
  if (save.kind === 'saving') return { kind: 'saving' };
  if (save.kind !== 'failed') return { kind: 'none' };
  return save.reason === 'offline' && save.isKept && !navigator.onLine
    ? { kind: 'device' }
    : { kind: 'failed' };
}

/** Returns the phase that the composer shows. */
export function toComposerPhase({
  phase,
  wait,
  sendError,
}: Pick<DraftState, 'phase' | 'wait' | 'sendError'>): ComposerPhase {
  if (phase === 'elsewhere') return 'readOnly';
  if (isGoingOut(phase)) return 'sending';
  if (wait !== null) return 'waiting';
  return sendError === null ? 'writing' : 'failed';
}
