// Progress of re-wrapping old mail. One tab does the work and broadcasts its progress to the
// others.
import { useSyncExternalStore } from 'react';

export type RewrapState = {
  /** Messages and records that only replaced keys can open; null while unknown. */
  readonly waiting: number | null;
  /** Those that no key could open; they are left as they are. */
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

/** Publishes the progress, also to other tabs. */
export function setRewrapState(next: RewrapState): void {
  show(next);
  channel.postMessage(next);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the live progress. */
export const useRewrapState = (): RewrapState => useSyncExternalStore(subscribe, () => state);
