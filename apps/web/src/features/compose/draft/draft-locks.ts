// Only one tab at a time edits a draft: it holds a Web Lock under the id of the draft (or of its
// local copy). Another tab may request the lock; the holder then saves and releases it. Without Web
// Locks (pages without TLS) every tab can edit.

export type Held = { readonly release: () => void };

const lockName = (id: string): string => `letter:${id}`;

const free: Held = { release: () => undefined };

/**
 * Acquires the lock of a draft; returns null while another tab holds it. `isPatient` waits for it.
 */
export function holdDraft(id: string, isPatient = false): Promise<Held | null> {
  if (!('locks' in navigator)) return Promise.resolve(free);
  return new Promise(resolve => {
    void navigator.locks.request(lockName(id), { ifAvailable: !isPatient }, lock => {
      if (lock === null) {
        resolve(null);
        return;
      }
      return new Promise<void>(release => resolve({ release }));
    });
  });
}

const channelName = 'letters';

/** Asks the tab that holds this draft to release it. */
export function askForDraft(id: string): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ wanted: id });
  channel.close();
}

/** Calls the listener when another tab requests a draft. Returns a function that unsubscribes. */
export function onDraftWanted(listener: (id: string) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<{ wanted?: unknown }>) => {
    if (typeof data.wanted === 'string') listener(data.wanted);
  };
  return () => channel.close();
}
