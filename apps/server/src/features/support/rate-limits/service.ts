/**
 * Shares of strangers that all machines of the service count together, for what happens too often for a statement each time: at
 * every command of an SMTP session. Requests are counted by http/rate-limiter.ts.
 *
 * [Note: Counting together] Nobody waits for the database. A process refuses by what it counted itself, at once; and what it
 * counted of whoever comes near a share goes to the common table once a second, in one statement for all, which gives back
 * what all of them counted. So all machines together exceed a share by what they take in within that second, and each of them
 * by the part of it that it keeps to itself. While the database is away, each counts for itself.
 */
import { createFixedWindowLimiter, type FixedWindowLimiter } from '../../../base/fixed-window-limiter.ts';
import type { MasterKey } from '../../../base/master-key.ts';
import type { Deps } from '../../../context/deps.ts';
import { addPoints } from './store.ts';

/** How often what was counted is told, milliseconds. */
const TOLD_EVERY_MS = 1_000;
/** The part of a share from which on a process tells of somebody: who brings a mail now and then makes no rows. */
const TOLD_FROM = 0.02;
/** Those told of in one statement. */
const TOLD_AT_ONCE = 500;

const PURPOSE = 'shared limit';

const rowOf = (masterKey: MasterKey, name: string, ...parts: readonly string[]): string =>
  `${name}:${masterKey.digest(PURPOSE, name, ...parts).toString('base64url')}`;

/**
 * Counts one at the common table before it answers; false when the key has had its share. For what is rare, and must not
 * exceed its share by what machines have not told each other yet. Rejects while the database is away.
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
  /** Tells what was counted, and hears what others did; never rejects. Happens by itself. */
  readonly tell: () => Promise<void>;
};

type SharedOptions = {
  /** Tells these counts from others. */
  readonly name: string;
  readonly points: number;
  readonly windowMs: number;
  /** Keys that are counted at one time; the ones counted first are forgotten. */
  readonly keysMax: number;
};

/** What is known of a key within a window that begins for all machines at one time. */
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
      logger.debug({ err: error }, 'what was counted could not be told to other machines yet');
      for (const { key } of told) waiting.add(key);
    }
    if (waiting.size > 0) tellSoon();
  };

  // One at a time: what is on its way is not told twice.
  const tell = (): Promise<void> => {
    telling = telling.then(tellNow);
    return telling;
  };

  return {
    tell,
    take: key => {
      const isOwnShare = own.take(key);
      const count = countOf(key);
      // What is refused is not counted: a flood makes no writing.
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
