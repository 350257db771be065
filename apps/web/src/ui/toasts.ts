// The toasts of this page. Screens and mutations call showToast; ToastViewport renders the store.
import { createToastStore, type ToastInput } from './toast-store.ts';

/** The store behind showToast. */
export const toastStore = createToastStore();

/** Shows a toast and returns its id. */
export function showToast(input: ToastInput): number {
  return toastStore.show(input);
}

/** Dismisses a toast as its button does, and runs the button's action. */
export function actOnToast(id: number): void {
  const toast = toastStore.list().find(one => one.id === id);
  toastStore.dismiss(id);
  toast?.action?.onAct();
}

/** Runs `work` once the toast is gone, by timeout or dismissal. */
export function afterToast(id: number, work: () => void): void {
  const stop = toastStore.subscribe(() => {
    if (toastStore.list().some(toast => toast.id === id)) return;
    stop();
    work();
  });
}
