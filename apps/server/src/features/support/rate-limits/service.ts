/**
 * Rate limits for strangers that all machines of the service share, for events too frequent for one
 * statement each, such as every command of an SMTP session. http/rate-limiter.ts counts requests.
 *
 * [Note: Counting together] No caller waits for the database. A process rejects immediately by its
 * own counts. Once a second it adds the counts of keys that approach their limit to the common
 * table, in one statement, which returns the totals of all machines. All machines together
 * therefore exceed a limit by what they accept within that second, and each of them by the part it
 * has not published. While the database is unavailable, each machine counts alone.
 */
import { createFixedWindowLimiter, type FixedWindowLimiter } from '../../../base/fixed-window-limiter.ts';
import type { MasterKey } from '../../../base/master-key.ts';
import type { Deps } from '../../../context/deps.ts';
import { addPoints } from './store.ts';

/** Interval at which counts are published, in milliseconds. */
const TOLD_EVERY_MS = 1_000;
/**
 * Fraction of a limit from which a process publishes a key's count: occasional senders create no
 * rows.
 */
const TOLD_FROM = 0.02;
/** Maximum number of keys published in one statement. */
const TOLD_AT_ONCE = 500;

const PURPOSE = 'shared limit';

const rowOf = (masterKey: MasterKey, name: string, ...parts: readonly string[]): string =>
  `${name}:${masterKey.digest(PURPOSE, name, ...parts).toString('base64url')}`;

/**
 * Counts one event in the common table before it returns; returns false when the key has used its
 * share. For rare events that must not exceed their limit by counts that machines have not
 * published yet. Rejects while the database is unavailable.
 */
export async function takeAtOnce(
  { db, masterKey }: Pick<Deps, 'db' | 'masterKey'>,
  share: { readonly name: string; readonly points: number; readonly expiresAt: Date },
  key: string,
): Promise<boolean> {
  const row = rowOf(masterKey, share.name, key);
  const totals = await addPoints(db, [{ key: row, points: 1, expiresAtMs: share.expiresAt.getTime() }]);
  return (totals.get(row) ?? 0) <= share.points;
}

export type SharedWindows = FixedWindowLimiter & {
  /**
   * Publishes the local counts and reads the totals of all machines; never rejects. Also runs
   * automatically.
   */
  readonly tell: () => Promise<void>;
};

type SharedOptions = {
  /** Distinguishes these counts from others. */
  readonly name: string;
  readonly points: number;
  readonly windowMs: number;
  /** Maximum number of keys counted at a time; the oldest are evicted. */
  readonly keysMax: number;
};

/** The counts of a key within a window that starts at the same time on all machines. */
type Count = { readonly window: number; total: number; untold: number };

export function createSharedWindows(
  deps: Pick<Deps, 'clock' | 'db' | 'logger' | 'masterKey'>,
  { name, points, windowMs, keysMax }: SharedOptions,
): SharedWindows {
  const { clock, logger, masterKey } = deps;
  const own = createFixedWindowLimiter({ points, windowMs, keysMax, now: () => performance.now() });
  const toldFrom = Math.max(1, Math.floor(points * TOLD_FROM));
  const counts = new Map<string, Count>();
  const waiting = new Set<string>();
  let isSoon = false;
  let telling: Promise<void> = Promise.resolve();

  const countOf = (key: string): Count => {
    const window = Math.floor(clock.now().getTime() / windowMs);
    const known = counts.get(key);
    if (known?.window === window) return known;
    const fresh = { window, total: 0, untold: 0 };
    counts.delete(key);
    const [oldest] = counts.keys();
    if (counts.size >= keysMax && oldest !== undefined) {
      counts.delete(oldest);
      waiting.delete(oldest);
    }
    counts.set(key, fresh);
    return fresh;
  };

  const tellSoon = (): void => {
    if (isSoon) return;
    isSoon = true;
    setTimeout(() => {
      isSoon = false;
      void tell();
    }, TOLD_EVERY_MS).unref();
  };

  const tellNow = async (): Promise<void> => {
    const told = [...waiting].slice(0, TOLD_AT_ONCE).flatMap(key => {
      waiting.delete(key);
      const count = counts.get(key);
      if (count === undefined || count.untold === 0) return [];
      const row = rowOf(masterKey, name, key, String(count.window));
      return [
        { key, count, row: { key: row, points: count.untold, expiresAtMs: (count.window + 1) * windowMs } },
      ];
    });
    if (told.length === 0) return;
    try {
      const totals = await addPoints(
        deps.db,
        told.map(({ row }) => row),
      );
      for (const { count, row } of told) {
        count.total = totals.get(row.key) ?? count.total + row.points;
        count.untold -= row.points;
      }
    } catch (error) {
      logger.debug({ err: error }, 'could not publish rate limit counts, will retry');
      for (const { key } of told) waiting.add(key);
    }
    if (waiting.size > 0) tellSoon();
  };

  // Serialized, so that counts in flight are not published twice.
  const tell = (): Promise<void> => {
    telling = telling.then(tellNow);
    return telling;
  };

  return {
    tell,
    take: key => {
      const isOwnShare = own.take(key);
      const count = countOf(key);
      // Rejected events are not counted: a flood causes no writes.
      if (!isOwnShare || count.total + count.untold >= points) return false;
      count.untold += 1;
      if (count.total + count.untold >= toldFrom) {
        waiting.add(key);
        tellSoon();
      }
      return true;
    },
  };
}
