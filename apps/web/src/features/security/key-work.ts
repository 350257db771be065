// How far the work on old keys is, in the numbers that a line shows. Pure.
import type { RetiredState } from '@keyfold/contract';
import type { RewrapState } from '../../session/trust/rewrap-state.ts';

export type KeyWork = {
  readonly done: number;
  /** At least 1. */
  readonly total: number;
  readonly failed: number;
  readonly isDone: boolean;
};

/** What the server said when it was asked, and what the work has told since. */
export function toKeyWork({ mails, waiting }: RetiredState, work: RewrapState | null): KeyWork {
  const left = work?.waiting === null || work === null ? waiting : Math.min(waiting, work.waiting);
  const total = Math.max(1, mails, waiting);
  return { done: Math.max(0, total - left), total, failed: work?.failed ?? 0, isDone: waiting === 0 };
}
