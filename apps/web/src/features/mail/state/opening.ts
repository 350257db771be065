// Which conversation the keys are about. Keys come faster than pages change: what a key asked for counts at once, before
// the address and the screen follow.

/** The conversations that keys asked for and the address does not show yet. */
export type Opening = {
  /** The conversation that is open, or will be once the address has followed; null for none. */
  current: (shown: string | null) => string | null;
  ask: (id: string) => void;
  /** Tells which one the address shows now. One that no key asked for ends the waiting for all others. */
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
