/**
 * Mail from outside and between users that continues during a fault, and the verification
 * afterwards: everything acknowledged is present once, and counters equal a recount. Uses the load
 * of the crash test.
 */
import { expect } from 'vitest';
import { createLedger, type Ledger } from '../crash/ledger.ts';
import { createMailboxes } from '../crash/mailboxes.ts';
import type { Outside } from '../crash/outside.ts';
import type { SeededRandom } from '../crash/seeded-random.ts';
import { makeSends, runSends } from '../crash/send-load.ts';
import { makeDeliveries, runDeliveries } from '../crash/smtp-load.ts';
import { checkCounters, hastenHeld, hastenQueue } from '../crash/storage.ts';
import type { TestUser } from '../harness/users.ts';

const CONNECTIONS = 3;
const TABS = 3;
const SETTLED = { timeout: 60_000, interval: 200 };

export type FaultLoad = {
  readonly ledger: Ledger;
  /**
   * Keeps mail flowing while `fault` happens and until all of it is accepted, then verifies
   * everything.
   */
  readonly during: (amount: number, fault: () => Promise<void>) => Promise<void>;
};

export function createFaultLoad(world: {
  /** Folder of the cluster that holds all data at the end. */
  readonly dataDir: () => string;
  readonly smtpPort: number;
  readonly users: readonly TestUser[];
  readonly outside: Outside;
  readonly random: SeededRandom;
}): FaultLoad {
  const { dataDir, smtpPort, users, outside, random } = world;
  const ledger = createLedger();
  const mailboxes = createMailboxes(users, ledger);
  return {
    ledger,
    during: async (amount, fault) => {
      const deliveries = makeDeliveries(random, ledger, users, amount);
      const sends = await makeSends(random, ledger, users, amount);
      let isOver = false;
      const run = async (): Promise<void> => {
        await Promise.all([
          ...Array.from({ length: CONNECTIONS }, () =>
            runDeliveries(smtpPort, deliveries, ledger, () => false),
          ),
          ...Array.from({ length: TABS }, () => runSends(sends, ledger, () => false)),
        ]);
      };
      // Clients that lose their connection reconnect until everything is accepted.
      const load = (async () => {
        while (!isOver || deliveries.length + sends.length > 0) {
          await run();
          await new Promise(resolve => setTimeout(resolve, 50));
        }
      })();
      // A failure is reported at the end, after that of the fault.
      load.catch(() => undefined);
      try {
        await fault();
      } finally {
        isOver = true;
      }
      await load;
      await expect.poll(() => hastenHeld(dataDir()), SETTLED).toBe(0);
      await expect.poll(() => hastenQueue(dataDir()), SETTLED).toBe(0);
      await mailboxes.check(true);
      await checkCounters(dataDir());
      expect(outside.findBroken(ledger, true)).toEqual([]);
    },
  };
}
