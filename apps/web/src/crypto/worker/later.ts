// Parts of a worker that are loaded when one of their functions is first called. Calls start in the
// order in which they were made, however long loading takes: a draft must be saved under the key
// that was generated just before.
import { loadAgain } from '../../lib/load-again.ts';

/** Functions of a part, each of which resolves once the part is loaded. */
type Later<M, N extends keyof M> = {
  readonly [K in N]: M[K] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

/** Returns these functions of a part; if loading fails, the next call retries it. */
export function later<M, N extends keyof M>(load: () => Promise<M>, ...names: N[]): Later<M, N> {
  let loading: Promise<M> | null = null;
  // All calls share one promise: imports of the same module may settle in a different order than
  // they started.
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
