/**
 * Round-robin queue over users: no user gets a second job while another waits for a first. Claims
 * within a process run one after another, so that each sees the effect of the previous one.
 */
import { PUSH_TURNS_MAX } from '../../../base/limits.ts';

/**
 * Creates a fair queue. `claim` takes a job of a user who is not among the given ones, or returns
 * undefined.
 */
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
