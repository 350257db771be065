// Selects which recipients get a chip when there are many: the first twenty, and of those that
// block sending as many as fit. Pure.
import type { RecipientState, RecipientView } from '../draft/view-model.ts';

/** Maximum number of chips shown before the user asks for all. */
export const CHIPS_MAX = 20;

const blocking: ReadonlySet<RecipientState> = new Set(['key_changed', 'mismatch', 'unknown', 'invalid']);

export type ShownChip = {
  readonly recipient: RecipientView;
  /** Index among all recipients. */
  readonly index: number;
};

/** Returns the recipients with a chip, in order. */
export function chipsShown(recipients: readonly RecipientView[], showsAll: boolean): readonly ShownChip[] {
  const all = recipients.map((recipient, index) => ({ recipient, index }));
  if (showsAll || all.length <= CHIPS_MAX) return all;
  const isBlocking = ({ recipient }: ShownChip) => blocking.has(recipient.state);
  const first = [...all.filter(isBlocking), ...all.filter(one => !isBlocking(one))].slice(0, CHIPS_MAX);
  return first.toSorted((one, other) => one.index - other.index);
}
