// The toasts of this page. Screens and mutations call showToast; ToastViewport shows what is in here.
import { createToastStore, type ToastInput } from './toast-store.ts';

/** The store behind showToast. */
export const toastStore = createToastStore();

/** Shows a toast and returns its id. */
export function showToast(input: ToastInput): number {
  return toastStore.show(input);
}

/** Takes a toast away as its button does, and does what that does. */
export function actOnToast(id: number): void {
  const toast = toastStore.list().find(one => one.id === id);
  toastStore.dismiss(id);
  toast?.action?.onAct();
}

/** Runs `work` once the toast has gone, by its clock or by hand. */
export function afterToast(id: number, work: () => void): void {
  const stop = toastStore.subscribe(() => {
    if (toastStore.list().some(toast => toast.id === id)) return;
    stop();
    work();
  });
}
