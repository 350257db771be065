/**
 * The apps that may open this server's links, as the environment names them (KEYFOLD_ANDROID_APPS, KEYFOLD_IOS_APPS). What
 * is said of them to Android and iOS is http/app-links.ts'.
 */
import type { AndroidApp } from '@keyfold/contract/app-links';

const ANDROID_APP = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+=[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){31}$/;
const IOS_APP = /^[A-Z0-9]{10}(\.[A-Za-z0-9-]+)+$/;

export const isAndroidApp = (text: string): boolean => ANDROID_APP.test(text);
export const isIosApp = (text: string): boolean => IOS_APP.test(text);

/** An app signed with several certificates stands in the list once for each. */
export function androidAppsOf(entries: readonly string[]): AndroidApp[] {
  const byId = Map.groupBy(entries, entry => entry.slice(0, entry.indexOf('=')));
  return [...byId].map(([id, own]) => ({
    id,
    fingerprints: own.map(entry => entry.slice(id.length + 1).toUpperCase()),
  }));
}
