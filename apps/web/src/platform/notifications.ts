// System notifications for a page that is not visible. Systems keep notifications on disk and show
// them on lock screens, so nothing of a message's content is included.

import { findStored } from './storage.ts';

export type NotifyPermission = 'unsupported' | NotificationPermission;

/** Returns whether the browser allows this page to notify. */
export const notifyPermission = (): NotifyPermission =>
  'Notification' in globalThis ? Notification.permission : 'unsupported';

/** Asks for permission to notify; must follow a user gesture. */
export const askToNotify = async (): Promise<NotifyPermission> =>
  notifyPermission() === 'default' ? Notification.requestPermission() : notifyPermission();

export type Shown = {
  readonly title: string;
  readonly body: string;
  /** A notification replaces another one with the same tag, so two tabs do not notify twice. */
  readonly tag: string;
  /** Where a click leads: a target of paths.ts, such as `#/email/x`. */
  readonly target: string;
};

/** Shows a notification; returns false when the system refuses. */
export async function showNotification({ title, body, tag, target }: Shown): Promise<boolean> {
  try {
    // The worker shows pushed notifications under the same tags; showing them here as well would
    // duplicate them.
    if (findStored('pushToken') !== null) throw new Error('The worker shows it');
    const shown = new Notification(title, { body, tag });
    shown.addEventListener('click', () => {
      window.focus();
      location.hash = target;
      shown.close();
    });
    return true;
  } catch {
    // Phones allow notifications only from the service worker, which also handles clicks.
    const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
    if (worker === undefined) return false;
    return worker.showNotification(title, { body, tag, data: { target } }).then(
      () => true,
      () => false,
    );
  }
}
