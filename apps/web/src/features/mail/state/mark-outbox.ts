// Changes of mail that wait for a connection, kept sealed on a device that stays signed in, so that they are made even when
// the page is closed before there is one. They show at once, as if nothing had happened in between.
import type { Mutation, QueryClient } from '@tanstack/react-query';
import { keys } from '../../../crypto/key-client.ts';
import { keepsMail } from '../../../session/state/offline-account.ts';
import { marksKey } from './mail-cache.ts';
import type { Mark, Step } from './marks.ts';
import { type ChangeInput, markOptions } from './mutations.ts';

/** Under this name among the answers that are kept. */
const question = 'changes that wait';

type Waiting = { readonly ids: readonly string[]; readonly mark: Mark; readonly steps: readonly Step[] };

/** What can be kept of a change: a mark whose requests are known. Undoing one is not worth a restart. */
async function toWaiting(change: Mutation): Promise<Waiting[]> {
  const { ids, shows, findSteps } = change.state.variables as ChangeInput;
  if (!('mark' in shows)) return [];
  return findSteps().then(
    steps => [{ ids, mark: shows.mark, steps }],
    () => [],
  );
}

const waitingIn = (cache: QueryClient): Mutation[] =>
  cache
    .getMutationCache()
    .findAll({ mutationKey: marksKey })
    .filter(({ state }) => state.isPaused);

/** Makes the changes that were waiting when the page was closed, and returns them. */
async function goOn(cache: QueryClient): Promise<readonly Waiting[]> {
  const kept = ((await keys().findAnswer(question)) ?? []) as readonly Waiting[];
  for (const { ids, mark, steps } of kept) {
    const input: ChangeInput = { ids, shows: { mark }, findSteps: async () => steps };
    cache
      .getMutationCache()
      .build(cache, markOptions(cache))
      .execute(input)
      .catch(() => undefined);
  }
  return kept;
}

/** Keeps what waits, from now on, and goes on with what waited. Returns the way to stop. */
export function startMarkOutbox(cache: QueryClient): () => void {
  if (!keepsMail()) return () => undefined;
  let known = '[]';
  const keep = async (): Promise<void> => {
    const waiting = (await Promise.all(waitingIn(cache).map(toWaiting))).flat();
    const text = JSON.stringify(waiting);
    if (text === known) return;
    known = text;
    await keys().keepAnswer(question, waiting);
  };
  // What began to wait before this was fetched is kept now, beside what waited before.
  let keeping = goOn(cache)
    .then(kept => {
      known = JSON.stringify(kept);
      return keep();
    })
    .catch(() => undefined);
  const stop = cache.getMutationCache().subscribe(({ mutation }) => {
    if (mutation?.options.mutationKey?.[0] !== marksKey[0]) return;
    keeping = keeping.then(keep).catch(() => undefined);
  });
  return stop;
}
