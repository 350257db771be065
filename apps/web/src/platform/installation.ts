// Keyfold as a program of its own on this device: installing it from the browser, and opening mail links of other programs
// with it. What the browser cannot do is not offered.
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

/** Listens for the browser's offer, and tells of an installation; once however often it is called. */
export function watchInstallation(onInstalled: () => void): void {
  if (isWatching) return;
  isWatching = true;
  addEventListener('beforeinstallprompt', event => {
    // Asked for in the settings, not by a bar over the mail.
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

/** Whether this is the installed program, can become one at a press, or only by the browser's own menu. */
export const useInstallation = (): Installation =>
  useSyncExternalStore(subscribe, () => {
    if (matchMedia('(display-mode: standalone)').matches) return 'installed';
    return offered === null ? 'by-menu' : 'offered';
  });

/** Shows the browser's question. */
export async function install(): Promise<void> {
  const prompt = offered;
  set(null);
  await prompt?.prompt();
}

/** The address at which another device finds this server; null where the one in use leads to this computer alone. */
export const addressElsewhere = ({
  hostname,
  origin,
}: Pick<Location, 'hostname' | 'origin'>): string | null =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) ? null : origin;

/** Whether the browser lets pages open mail links. */
export const canOpenMailLinks = (): boolean => 'registerProtocolHandler' in navigator;

/** Asks the browser to open mail links with this page. The address travels in the fragment, which no server sees. */
export function openMailLinks(): void {
  navigator.registerProtocolHandler('mailto', `${location.origin}/app/compose#mailto=%s`);
}
