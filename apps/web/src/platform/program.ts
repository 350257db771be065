// What this device knows about the app code it runs, as determined by its service worker (ADR 44):
// the version, the time since when it runs, and its signer. Nothing is known without a service
// worker, as in apps and on the first visit.
import type { CodeState } from '../lib/code-state.ts';

/** Named as in service-worker-code.ts. */
const codeCache = 'code-pin';
const codeStateFile = '/code-state';
/** Half of a SHA-256 in groups of four digits, enough to compare by eye or by voice. */
const SHOWN_DIGITS = 32;

/** Returns the known state, or null. */
export async function readProgram(): Promise<CodeState | null> {
  if (!('caches' in globalThis)) return null;
  const kept = await caches.match(codeStateFile, { cacheName: codeCache });
  return kept === undefined ? null : ((await kept.json()) as CodeState);
}

const inGroups = (hex: string): string => hex.slice(0, SHOWN_DIGITS).replace(/.{4}(?=.)/g, '$& ');

/** Returns the fingerprint of a raw base64 key, in groups; empty for no key. */
export async function keyFingerprint(key: string): Promise<string> {
  if (key === '') return '';
  const raw = Uint8Array.from(atob(key), one => one.charCodeAt(0));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', raw));
  return inGroups(Array.from(digest, one => one.toString(16).padStart(2, '0')).join(''));
}

/** Reads the version and the source fingerprint from the first line of a file list. */
export function readTitle(title: string): { readonly version: string; readonly code: string } {
  const [, version = '', code = ''] = /^Keyfold (\S+), built of ([0-9a-f]+)$/.exec(title) ?? [];
  return { version, code: inGroups(code) };
}

/** Records that the user has read that the app changed. */
export const noteTold = (): void => navigator.serviceWorker.controller?.postMessage('code-told');

/** Trusts the key that signed the refused code from now on. */
export const trustKey = (key: string): void =>
  navigator.serviceWorker.controller?.postMessage({ trust: key });
