// Tracks which conversation the keys act on. Key presses come faster than navigation, so what a key
// requested counts at once, before the address and the screen follow.

/** Conversations that keys have requested and the address does not show yet. */
export type Opening = {
  /**
   * Returns the conversation that is open, or that will be open once the address has followed; null
   * for none.
   */
  current: (shown: string | null) => string | null;
  ask: (id: string) => void;
  /**
   * Reports which conversation the address shows now. A conversation that no key requested cancels
   * all pending ones.
   */
  arrived: (shown: string | null) => void;
};

export function createOpening(): Opening {
  let asked: readonly string[] = [];
  return {
    current: shown => asked.at(-1) ?? shown,
    ask: id => {
      asked = [...asked, id];
    },
    arrived: shown => {
      const at = shown === null ? -1 : asked.indexOf(shown);
      asked = at < 0 ? [] : asked.slice(at + 1);
    },
  };
}
