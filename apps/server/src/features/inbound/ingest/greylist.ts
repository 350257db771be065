/**
 * Greylisting (RFC 6647), where the operator wants it: who was never seen is asked to come back, which mail servers do and
 * many senders of spam do not. A network whose mail came a second time is known, and stays so while mail comes from it.
 * Digests alone are kept: who wrote to whom stands nowhere. What a client can make up as it likes makes no rows of its own:
 * the sender counts by its domain, the recipient by who it is, and a network has so many rows an hour. So have all of them together:
 * beyond that strangers are let in, since mail must not wait for a table that somebody else has filled.
 */
import { isIPv4 } from 'node:net';
import { siteOf } from '../../../adapters/network.ts';
import { counter } from '../../../base/metrics.ts';
import type { Deps } from '../../../context/deps.ts';
import { createSharedWindows } from '../../support/rate-limits/index.ts';
import { findGreyRows, forgetExpiredGreyRows, saveGreyRow } from './greylist-store.ts';

/** Who brings mail, from whom, to whom. */
export type Stranger = {
  /** Address of the client; of IPv6 its /64, see connection-gate.ts. */
  readonly network: string;
  /** Domain of the envelope sender; empty for a bounce. */
  readonly senderDomain: string;
  /** Whose mailbox it is for, by whichever of its addresses and tags. */
  readonly ownerId: string;
};

export type Greylist = {
  /** Whether the mail may come in now; false when its client is to come back. */
  readonly isWelcome: (stranger: Stranger) => Promise<boolean>;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A client that comes back sooner comes too soon. */
const WAIT_MS = 5 * MINUTE_MS;
/** One that comes back later is a stranger again. RFC 6647 §4.1 has a day at least. */
const PATIENCE_MS = 2 * DAY_MS;
/** A network is known for this long after its last mail. */
const KNOWN_MS = 36 * DAY_MS;
/** Rows that a site gets within an hour; further strangers of it come back without one. */
const NEW_ROWS_MAX = 100;
/** Rows that all networks together get within an hour: a gigabyte in the two days for which they stay. */
const NEW_ROWS_OF_ALL_MAX = 100_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Networks counted at once: 10 MB at most. */
const COUNTED_MAX = 100_000;

const PURPOSE = 'greylist';
const EVERYBODY = 'everybody';

const letIn = counter(
  'keyfold_greylist_full_total',
  'Strangers who were let in at once, because too many were asked to come back within the hour',
);

/** Large senders come back from a neighbour: of IPv4 the first three numbers count. */
const neighborhoodOf = (network: string): string => (isIPv4(network) ? siteOf(network) : network);

/** `newRowsOfAllMax`: rows of all networks together within an hour. */
export function createGreylist(
  deps: Pick<Deps, 'clock' | 'db' | 'logger' | 'masterKey'>,
  newRowsOfAllMax = NEW_ROWS_OF_ALL_MAX,
): Greylist {
  const { clock, db, masterKey } = deps;
  const hourly = (name: string, points: number, keysMax: number) =>
    createSharedWindows(deps, { name, points, windowMs: HOUR_MS, keysMax });
  const newRows = hourly('greylist rows', NEW_ROWS_MAX, COUNTED_MAX);
  const newRowsOfAll = hourly('all greylist rows', newRowsOfAllMax, 1);

  const isWelcome = async ({ network, senderDomain, ownerId }: Stranger): Promise<boolean> => {
    const now = clock.now();
    const later = (byMs: number) => new Date(now.getTime() + byMs);
    const neighborhood = neighborhoodOf(network);
    const client = masterKey.digest(PURPOSE, 'client', neighborhood);
    const triple = masterKey.digest(PURPOSE, 'triple', neighborhood, senderDomain, ownerId);
    const rows = await findGreyRows(db, [client, triple], now);
    const ageOf = (digest: Buffer): number | null => {
      const row = rows.find(one => one.digest.equals(digest));
      return row === undefined ? null : now.getTime() - new Date(row.since).getTime();
    };
    const knownMs = ageOf(client);
    if (knownMs !== null) {
      // Once a day is often enough to say that it was here.
      if (knownMs > DAY_MS)
        await saveGreyRow(db, { digest: client, since: now, expires_at: later(KNOWN_MS) });
      return true;
    }
    const waitedMs = ageOf(triple);
    if (waitedMs === null && newRows.take(siteOf(network))) {
      if (!newRowsOfAll.take(EVERYBODY)) {
        letIn.inc();
        return true;
      }
      await saveGreyRow(db, { digest: triple, since: now, expires_at: later(PATIENCE_MS) });
      await forgetExpiredGreyRows(db, now);
    }
    if (waitedMs === null || waitedMs < WAIT_MS) return false;
    await saveGreyRow(db, { digest: client, since: now, expires_at: later(KNOWN_MS) });
    return true;
  };

  return { isWelcome };
}
