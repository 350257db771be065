// Lets only a few files of a letter be sealed and sent at one time, the others in their order: thirty pictures dropped at
// once would otherwise be read all together, and the server takes so many uploads of one person and no more.

/** Files of one letter under way at one time. The server takes four times as many of one person. */
export const UPLOADS_AT_ONCE = 4;

export type Turns = { readonly take: <T>(work: () => Promise<T>) => Promise<T> };

/** Runs work in turns; what fails makes room like what ends well. */
export function createTurns(atOnce = UPLOADS_AT_ONCE): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    take: async work => {
      if (running < atOnce) running += 1;
      else await new Promise<void>(resolve => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
