// Parts of a worker that are fetched when one of their functions is first called. Calls begin in the order in which they were
// made, however long the part is on its way and whatever overtakes it: a letter is saved under the key that was made just before.
import { loadAgain } from '../../lib/load-again.ts';

/** Functions of a part, each of which answers once the part is there. */
type Later<M, N extends keyof M> = {
  readonly [K in N]: M[K] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** These functions of a part; one that could not be fetched is asked for again by the next call. */
export function later<M, N extends keyof M>(load: () => Promise<M>, ...names: N[]): Later<M, N> {
  let loading: Promise<M> | null = null;
  // All wait for the same promise: imports of the same module may end in another order than they began.
  const part = (): Promise<M> => {
    loading ??= loadAgain(load).catch(error => {
      loading = null;
      throw error;
    });
    return loading;
  };
  const calls = names.map(name => [
    name,
    async (...args: unknown[]) => ((await part())[name] as (...args: unknown[]) => unknown)(...args),
  ]);
  return Object.fromEntries(calls) as Later<M, N>;
}
