// Stores message changes that wait for a connection, sealed, on devices that stay signed in, so
// that they are made even if the page is closed first. After a restart they show immediately, as if
// there had been no interruption.
import type { Mutation, QueryClient } from '@tanstack/react-query';
import { keys } from '../../../crypto/key-client.ts';
import { keepsMail } from '../../../session/state/offline-account.ts';
import type { FlagChange, Step } from './flag-changes.ts';
import { flagChangesKey } from './mail-cache.ts';
import { type ChangeInput, flagChangeOptions } from './mutations.ts';

/** Name of the entry in the store of cached responses. */
const question = 'changes that wait';

/** A stored change. `mark` is its name in the stored form, which earlier builds wrote too. */
type Waiting = {
  readonly ids: readonly string[];
  readonly mark: FlagChange;
  readonly steps: readonly Step[];
};

/**
 * Returns the storable form of a change, which requires a change of flags and known requests. An
 * undo is not kept across restarts.
 */
async function toWaiting(change: Mutation): Promise<Waiting[]> {
  const { ids, shows, findSteps } = change.state.variables as ChangeInput;
  if (!('change' in shows)) return [];
  return findSteps().then(
    steps => [{ ids, mark: shows.change, steps }],
    () => [],
  );
}

const waitingIn = (cache: QueryClient): Mutation[] =>
  cache
    .getMutationCache()
    .findAll({ mutationKey: flagChangesKey })
    .filter(({ state }) => state.isPaused);

/** Makes the changes that were pending when the page was closed, and returns them. */
async function goOn(cache: QueryClient): Promise<readonly Waiting[]> {
  const kept = ((await keys().findAnswer(question)) ?? []) as readonly Waiting[];
  for (const { ids, mark: change, steps } of kept) {
    const input: ChangeInput = { ids, shows: { change }, findSteps: async () => steps };
    cache
      .getMutationCache()
      .build(cache, flagChangeOptions(cache))
      .execute(input)
      .catch(() => undefined);
  }
  return kept;
}

/**
 * Stores pending changes from now on, and resumes those from before. Returns the function that
 * stops it.
 */
export function startChangeOutbox(cache: QueryClient): () => void {
  if (!keepsMail()) return () => undefined;
  let known = '[]';
  const keep = async (): Promise<void> => {
    const waiting = (await Promise.all(waitingIn(cache).map(toWaiting))).flat();
    const text = JSON.stringify(waiting);
    if (text === known) return;
    known = text;
    await keys().keepAnswer(question, waiting);
  };
  // Stores changes that became pending during the load together with the earlier ones.
  let keeping = goOn(cache)
    .then(kept => {
      known = JSON.stringify(kept);
      return keep();
    })
    .catch(() => undefined);
  const stop = cache.getMutationCache().subscribe(({ mutation }) => {
    if (mutation?.options.mutationKey?.[0] !== flagChangesKey[0]) return;
    keeping = keeping.then(keep).catch(() => undefined);
  });
  return stop;
}
