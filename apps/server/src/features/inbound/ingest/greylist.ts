/**
 * Greylisting (RFC 6647), if the operator enables it: defers mail from unknown clients, which mail
 * servers retry and many spam senders do not. A network that retries becomes known and stays known
 * while mail comes from it. Only digests are stored, so the table never records who wrote to whom.
 * Values that a client can choose freely create no extra rows: the sender counts by its domain, the
 * recipient by its owner, and each network may create a limited number of rows per hour. The total
 * per hour is limited too; beyond it, unknown clients are accepted, because an attacker who fills
 * the table must not delay mail.
 */
import { isIPv4 } from 'node:net';
import { siteOf } from '../../../adapters/network.ts';
import { counter } from '../../../base/metrics.ts';
import type { Deps } from '../../../context/deps.ts';
import { createSharedWindows } from '../../support/rate-limits/index.ts';
import { findGreyRows, forgetExpiredGreyRows, saveGreyRow } from './greylist-store.ts';

/** The client, sender domain and recipient of a message. */
export type Stranger = {
  /** Address of the client; for IPv6 its /64, see connection-gate.ts. */
  readonly network: string;
  /** Domain of the envelope sender; empty for a bounce. */
  readonly senderDomain: string;
  /** Owner of the recipient mailbox, whichever address or tag was used. */
  readonly ownerId: string;
};

export type Greylist = {
  /** Returns whether the message may be accepted now; false when the client must retry later. */
  readonly isWelcome: (stranger: Stranger) => Promise<boolean>;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Minimum time before a retry is accepted. */
const WAIT_MS = 5 * MINUTE_MS;
/**
 * A client that retries later than this is unknown again. RFC 6647 §4.1 requires at least a day.
 */
const PATIENCE_MS = 2 * DAY_MS;
/** How long a network stays known after its last message. */
const KNOWN_MS = 36 * DAY_MS;
/**
 * Maximum new rows per site and hour; further unknown clients of the site are deferred without a
 * row.
 */
const NEW_ROWS_MAX = 100;
/**
 * Maximum new rows per hour for all networks together: a gigabyte over the two days for which they
 * are kept.
 */
const NEW_ROWS_OF_ALL_MAX = 100_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Maximum number of networks tracked at once: at most 10 MB. */
const COUNTED_MAX = 100_000;

const PURPOSE = 'greylist';
const EVERYBODY = 'everybody';

const letIn = counter(
  'keyfold_greylist_full_total',
  'Messages from unknown servers accepted without delay, because the greylist was full',
);

/** Large senders retry from a neighboring address: for IPv4 the first three octets count. */
const neighborhoodOf = (network: string): string => (isIPv4(network) ? siteOf(network) : network);

/** Creates the greylist. `newRowsOfAllMax`: maximum new rows per hour for all networks together. */
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
      // Refreshing a known network once a day is enough.
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
