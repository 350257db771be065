// Work that would be lost with the page when a session ends. Components register unfinished work
// here, so that the session is independent of drafts.

export type OpenWork = {
  readonly isOpen: () => boolean;
  /** Stores a sealed copy on this device while the keys are still available. */
  readonly keep: () => Promise<unknown>;
};

let current: OpenWork | null = null;

/** Registers unfinished work. Returns a function that unregisters it. */
export function registerOpenWork(work: OpenWork): () => void {
  current = work;
  return () => {
    if (current === work) current = null;
  };
}

/** Returns the unfinished work, or null if there is none. */
export const findOpenWork = (): OpenWork | null => (current?.isOpen() === true ? current : null);
