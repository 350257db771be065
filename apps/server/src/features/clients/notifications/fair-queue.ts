/**
 * Has users take turns: nobody gets a second job while somebody else waits for a first. Claims of one process come one after
 * another, so that each sees what the one before has taken.
 */
import { PUSH_TURNS_MAX } from '../../../base/limits.ts';

/** `claim` takes a job of a user who is not among these; undefined when there is none. */
export function createFairQueue<Job extends { readonly user_id: string }>(
  claim: (served: readonly string[]) => Promise<Job | undefined>,
): () => Promise<Job | undefined> {
  const served = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  const takeTurn = async (): Promise<Job | undefined> => {
    if (served.size >= PUSH_TURNS_MAX) served.clear();
    let job = await claim([...served]);
    if (job === undefined && served.size > 0) {
      served.clear();
      job = await claim([]);
    }
    if (job !== undefined) served.add(job.user_id);
    return job;
  };
  return () => {
    const claimed = last.then(takeTurn);
    last = claimed.catch(() => undefined);
    return claimed;
  };
}
