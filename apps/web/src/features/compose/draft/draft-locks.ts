// One tab at a time edits a letter: whoever opens it holds a lock of the browser under the draft's id (or the copy's).
// Another tab may ask for it; the holder then saves and lets go. Without locks (pages without TLS) everybody edits.

export type Held = { readonly release: () => void };

const lockName = (id: string): string => `letter:${id}`;

const free: Held = { release: () => undefined };

/** The lock of a letter, or null while another tab has it. `isPatient` waits for it. */
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

/** Asks whoever has this letter to let it go. */
export function askForDraft(id: string): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ wanted: id });
  channel.close();
}

/** Hears when another tab wants a letter. Returns the way to stop. */
export function onDraftWanted(listener: (id: string) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<{ wanted?: unknown }>) => {
    if (typeof data.wanted === 'string') listener(data.wanted);
  };
  return () => channel.close();
}
