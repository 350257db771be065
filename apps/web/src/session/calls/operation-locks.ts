// Prevents the same operation from running twice on the same target: a second attempt is refused
// while the first runs. A lock ends with its call and expires after 30 seconds (docs/spec-map.md
// 4.26, 4.27, docs/interpretations.md#37).
import { t } from '../../lib/language.ts';
import { OPERATION_LOCK_MS } from '../../timing.ts';

const startedAt = new Map<string, number>();

/** Error for a refused second attempt; its message is displayed unchanged. */
export class AlreadyInProgressError extends Error {
  override name = 'AlreadyInProgressError';
}

/**
 * Runs `work` unless the same operation is running on the same target. `label` names the operation
 * in the user's language, as in "Archive already in progress".
 */
export async function runLocked<T>(label: string, target: string, work: () => Promise<T>): Promise<T> {
  const key = `${label} ${target}`;
  const now = Date.now();
  const since = startedAt.get(key);
  if (since !== undefined && now - since < OPERATION_LOCK_MS) {
    throw new AlreadyInProgressError(t('{action} already in progress', { action: label }));
  }
  startedAt.set(key, now);
  try {
    return await work();
  } finally {
    if (startedAt.get(key) === now) startedAt.delete(key);
  }
}
