// Changes that can be taken back: the last one by the button of its toast, and one after the other by `z`, each for a
// minute after its toast has gone (docs/interface.md#undo). Knows no change; whoever makes one says how it is taken back.
import { t } from '../../../lib/language.ts';
import { ACTION_TOAST_MS, UNDO_WINDOW_MS } from '../../../timing.ts';
import { toastStore } from '../../../ui/toasts.ts';

/** How long a change can be taken back with a key: as long as its toast stands, and a while longer. */
const UNDO_LIMIT_MS = ACTION_TOAST_MS + UNDO_WINDOW_MS;

type Undoable = {
  readonly run: () => void;
  readonly toast: number;
  readonly until: number;
};

/** The newest last. */
let stack: readonly Undoable[] = [];

const valid = (): readonly Undoable[] => stack.filter(({ until }) => Date.now() < until);

/**
 * Says what was done, with a way back; the toast takes the place of the one before. Returns how to take those words away
 * again, when it was not done after all.
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

/** Whether there is a change that can still be taken back. */
export const canUndo = (): boolean => valid().length > 0;

/** Takes back the last change that was not taken back yet, unless that is too long ago. */
export function undoLast(): void {
  const last = valid().at(-1);
  if (last === undefined) return;
  stack = stack.filter(one => one !== last);
  toastStore.dismiss(last.toast);
  last.run();
}
