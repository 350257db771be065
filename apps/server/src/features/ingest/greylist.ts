/**
 * Greylisting (RFC 6647), where the operator wants it: who was never seen is asked to come back, which mail servers do and
 * many senders of spam do not. A network whose mail came a second time is known, and stays so while mail comes from it.
 * Digests alone are kept: who wrote to whom stands nowhere.
 */
import { isIPv4 } from 'node:net';
import type { Deps } from '../../deps.ts';
import { findGreyRows, forgetExpiredGreyRows, saveGreyRow } from './greylist-store.ts';

/** Who brings mail, from whom, to whom. */
export type Stranger = {
  /** Address of the client; of IPv6 its /64, see connection-gate.ts. */
  readonly network: string;
  readonly sender: string;
  readonly recipient: string;
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

const PURPOSE = 'greylist';

/** Large senders come back from a neighbour: of IPv4 the first three numbers count. */
const neighbourhoodOf = (network: string): string =>
  isIPv4(network) ? network.slice(0, network.lastIndexOf('.')) : network;

export const createGreylist = ({
  clock,
  db,
  masterKey,
}: Pick<Deps, 'clock' | 'db' | 'masterKey'>): Greylist => ({
  isWelcome: async ({ network, sender, recipient }) => {
    const now = clock.now();
    const later = (byMs: number) => new Date(now.getTime() + byMs);
    const neighbourhood = neighbourhoodOf(network);
    const client = masterKey.digest(PURPOSE, 'client', neighbourhood);
    const triple = masterKey.digest(PURPOSE, 'triple', neighbourhood, sender, recipient);
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
    if (waitedMs === null) {
      await saveGreyRow(db, { digest: triple, since: now, expires_at: later(PATIENCE_MS) });
      await forgetExpiredGreyRows(db, now);
    }
    if (waitedMs === null || waitedMs < WAIT_MS) return false;
    await saveGreyRow(db, { digest: client, since: now, expires_at: later(KNOWN_MS) });
    return true;
  },
});
