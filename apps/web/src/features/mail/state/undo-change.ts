// Undo: the last change with the button of its toast, and one change after another with `z`, each
// for up to a minute after its toast has closed (docs/interface.md#undo). Knows nothing about the
// changes themselves; each caller supplies its undo function.
import { t } from '../../../lib/language.ts';
import { ACTION_TOAST_MS, UNDO_WINDOW_MS } from '../../../timing.ts';
import { toastStore } from '../../../ui/toasts.ts';

/** How long a change can be undone with a key: while its toast is shown, plus the undo window. */
const UNDO_LIMIT_MS = ACTION_TOAST_MS + UNDO_WINDOW_MS;

type Undoable = {
  readonly run: () => void;
  readonly toast: number;
  readonly until: number;
};

/** Newest last. */
let stack: readonly Undoable[] = [];

const valid = (): readonly Undoable[] => stack.filter(({ until }) => Date.now() < until);

/**
 * Shows what was done, with an Undo button. The toast replaces the previous one. Returns a function
 * that withdraws the toast when the change did not happen after all.
 */
export function offerUndo(text: string, run: () => void): () => void {
  const forget = () => {
    stack = stack.filter(one => one.toast !== toast);
    toastStore.dismiss(toast);
  };
  for (const { toast: earlier } of stack) toastStore.dismiss(earlier);
  const onAct = () => {
    forget();
    run();
  };
  const toast = toastStore.show({ tone: 'success', text, action: { label: t('Undo'), onAct } });
  stack = [...valid(), { run, toast, until: Date.now() + UNDO_LIMIT_MS }];
  return forget;
}

/** Whether there is a change that can still be undone. */
export const canUndo = (): boolean => valid().length > 0;

/** Undoes the most recent change that was not undone yet, unless its time limit has passed. */
export function undoLast(): void {
  const last = valid().at(-1);
  if (last === undefined) return;
  stack = stack.filter(one => one !== last);
  toastStore.dismiss(last.toast);
  last.run();
}
