// What the system shows of a page that nobody looks at. Systems keep what they show, on disk and on locked screens: nothing
// of a letter's content comes here.

import { findStored } from './storage.ts';

export type NotifyPermission = 'unsupported' | NotificationPermission;

/** Whether the browser lets this page notify. */
export const notifyPermission = (): NotifyPermission =>
  'Notification' in globalThis ? Notification.permission : 'unsupported';

/** Asks the person; must follow a press. */
export const askToNotify = async (): Promise<NotifyPermission> =>
  notifyPermission() === 'default' ? Notification.requestPermission() : notifyPermission();

export type Shown = {
  readonly title: string;
  readonly body: string;
  /** One of the same tag takes its place: two tabs say a thing once. */
  readonly tag: string;
  /** Where a press leads: a target of paths.ts, such as `#/email/x`. */
  readonly target: string;
};

/** Shows it; false when the system does not let us. */
export async function showNotification({ title, body, tag, target }: Shown): Promise<boolean> {
  try {
    // What is pushed is shown by the worker, under the same tags: one and the same thing must not stand there twice.
    if (findStored('pushToken') !== null) throw new Error('The worker shows it');
    const shown = new Notification(title, { body, tag });
    shown.addEventListener('click', () => {
      window.focus();
      location.hash = target;
      shown.close();
    });
    return true;
  } catch {
    // Phones let the service worker alone; it knows what a press means.
    const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
    if (worker === undefined) return false;
    return worker.showNotification(title, { body, tag, data: { target } }).then(
      () => true,
      () => false,
    );
  }
}
