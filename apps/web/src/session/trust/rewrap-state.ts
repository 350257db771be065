// How far the work on old mail is, for whoever shows it: one tab does the work, the others hear of it.
import { useSyncExternalStore } from 'react';

export type RewrapState = {
  /** Mails and records that only replaced keys open; null before anything is known. */
  readonly waiting: number | null;
  /** Those that did not open with any key, and stay as they are. */
  readonly failed: number;
};

const channelName = 'rewrap';
let state: RewrapState = { waiting: null, failed: 0 };
const listeners = new Set<() => void>();
const channel = new BroadcastChannel(channelName);

function show(next: RewrapState): void {
  state = next;
  for (const listener of listeners) listener();
}

channel.onmessage = ({ data }: MessageEvent<RewrapState>) => show(data);

/** Tells how far the work is, other tabs too. */
export function setRewrapState(next: RewrapState): void {
  show(next);
  channel.postMessage(next);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How far the work is, live. */
export const useRewrapState = (): RewrapState => useSyncExternalStore(subscribe, () => state);
