// What would be lost with the page when a session ends: whoever has something unfinished tells it here, so that the session
// need not know of letters.

export type OpenWork = {
  readonly isOpen: () => boolean;
  /** Keeps a sealed copy on this device while the keys are still there. */
  readonly keep: () => Promise<unknown>;
};

let current: OpenWork | null = null;

/** Registers what is open. Returns the way to take that back. */
export function registerOpenWork(work: OpenWork): () => void {
  current = work;
  return () => {
    if (current === work) current = null;
  };
}

/** What is open, or null while nothing is. */
export const findOpenWork = (): OpenWork | null => (current?.isOpen() === true ? current : null);
