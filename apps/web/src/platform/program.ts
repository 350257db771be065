// What this device knows of the program it runs, as its service worker found out (ADR 44): version, since when, who signed it.
// Nothing is known where there is no service worker, which is so in apps and on the first visit.
import type { CodeState } from '../lib/code-state.ts';

/** As service-worker-code.ts names them. */
const codeCache = 'code-pin';
const codeStateFile = '/code-state';
/** Half of a SHA-256 in groups of four digits: enough to compare by eye, and by voice. */
const SHOWN_DIGITS = 32;

/** What is known; null where nothing is. */
export async function readProgram(): Promise<CodeState | null> {
  if (!('caches' in globalThis)) return null;
  const kept = await caches.match(codeStateFile, { cacheName: codeCache });
  return kept === undefined ? null : ((await kept.json()) as CodeState);
}

const inGroups = (hex: string): string => hex.slice(0, SHOWN_DIGITS).replace(/.{4}(?=.)/g, '$& ');

/** The fingerprint of a raw key in base64, in groups; empty for no key. */
export async function keyFingerprint(key: string): Promise<string> {
  if (key === '') return '';
  const raw = Uint8Array.from(atob(key), one => one.charCodeAt(0));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', raw));
  return inGroups(Array.from(digest, one => one.toString(16).padStart(2, '0')).join(''));
}

/** Version, and fingerprint of what it was built of, from the first line of a list of files. */
export function readTitle(title: string): { readonly version: string; readonly code: string } {
  const [, version = '', code = ''] = /^Keyfold (\S+), built of ([0-9a-f]+)$/.exec(title) ?? [];
  return { version, code: inGroups(code) };
}

/** Somebody has read that the program changed. */
export const noteTold = (): void => navigator.serviceWorker.controller?.postMessage('code-told');

/** Believes the key that signed what was refused, from now on. */
export const trustKey = (key: string): void =>
  navigator.serviceWorker.controller?.postMessage({ trust: key });
