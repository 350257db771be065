// From what a draft session holds to what the composer shows.
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
 * How somebody gets the letter. Whoever was sealed to once is pinned: another one, or suddenly none, is a changed key, since a
 * server could otherwise read what is meant for them (docs/interpretations.md#19).
 */
export function toRecipientView({ person, keys, isInvalid }: Addressee): RecipientView {
  if (isInvalid) return { ...person, state: 'invalid' };
  if (keys === null) return { ...person, state: 'looking_up' };
  const trust = trustOf(person.address, keys);
  return { ...person, state: trust === 'plain' && isUnknown({ keys }) ? 'unknown' : trust };
}

/** A file on its way. */
export const toFileView = (file: DraftFile): DraftFileView => ({
  id: file.localId,
  name: file.name,
  sizeBytes: file.sizeBytes,
  state: file.stage,
  progressPercent: file.percent,
  ...(file.error === null ? {} : { error: file.error }),
});

/** How saving stands. While the browser believes to be connected a failure is one that can be tried again. */
export function toDraftView(save: SaveState): DraftView {
  if (save.kind === 'saved') return { kind: 'saved', at: save.at };
  if (save.kind === 'saving') return { kind: 'saving' };
  if (save.kind !== 'failed') return { kind: 'none' };
  return save.reason === 'offline' && save.isKept && !navigator.onLine
    ? { kind: 'device' }
    : { kind: 'failed' };
}

/** What the composer is doing. */
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
