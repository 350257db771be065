// Keyfold as an installed app: installing it from the browser, and registering it for mailto links.
// Features that the browser lacks are not offered.
import { useSyncExternalStore } from 'react';

type InstallPrompt = Event & {
  prompt(): Promise<unknown>;
};

let offered: InstallPrompt | null = null;
const listeners = new Set<() => void>();

function set(next: InstallPrompt | null): void {
  offered = next;
  for (const listener of listeners) listener();
}

let isWatching = false;

/**
 * Listens for the browser's install prompt and reports an installation. Repeated calls have no
 * effect.
 */
export function watchInstallation(onInstalled: () => void): void {
  if (isWatching) return;
  isWatching = true;
  addEventListener('beforeinstallprompt', event => {
    // The settings offer the installation, instead of a browser bar over the mail.
    event.preventDefault();
    set(event as InstallPrompt);
  });
  addEventListener('appinstalled', () => {
    set(null);
    onInstalled();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export type Installation = 'installed' | 'offered' | 'by-menu';

/**
 * Returns whether this is the installed app, can be installed with one click, or only through the
 * browser's menu.
 */
export const useInstallation = (): Installation =>
  useSyncExternalStore(subscribe, () => {
    if (matchMedia('(display-mode: standalone)').matches) return 'installed';
    return offered === null ? 'by-menu' : 'offered';
  });

/** Shows the browser's install prompt. */
export async function install(): Promise<void> {
  const prompt = offered;
  set(null);
  await prompt?.prompt();
}

/**
 * Returns the address at which other devices reach this server, or null if the current one resolves
 * only on this computer.
 */
export const addressElsewhere = ({
  hostname,
  origin,
}: Pick<Location, 'hostname' | 'origin'>): string | null =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) ? null : origin;

/** Returns whether the browser lets pages handle mailto links. */
export const canOpenMailLinks = (): boolean => 'registerProtocolHandler' in navigator;

/**
 * Asks the browser to open mailto links with this page. The link travels in the fragment, which is
 * never sent to a server.
 */
export function openMailLinks(): void {
  navigator.registerProtocolHandler('mailto', `${location.origin}/app/compose#mailto=%s`);
}
