// Which of many recipients have a chip: the first twenty, of those that keep the message from being sent all that fit. Pure.
import type { RecipientState, RecipientView } from '../draft/view-model.ts';

/** Chips that stand there before somebody asks for all. */
export const CHIPS_MAX = 20;

const blocking: ReadonlySet<RecipientState> = new Set(['key_changed', 'mismatch', 'unknown', 'invalid']);

export type ShownChip = {
  readonly recipient: RecipientView;
  /** Its place among all. */
  readonly index: number;
};

/** Those with a chip, in their order. */
export function chipsShown(recipients: readonly RecipientView[], showsAll: boolean): readonly ShownChip[] {
  const all = recipients.map((recipient, index) => ({ recipient, index }));
  if (showsAll || all.length <= CHIPS_MAX) return all;
  const isBlocking = ({ recipient }: ShownChip) => blocking.has(recipient.state);
  const first = [...all.filter(isBlocking), ...all.filter(one => !isBlocking(one))].slice(0, CHIPS_MAX);
  return first.toSorted((one, other) => one.index - other.index);
}
