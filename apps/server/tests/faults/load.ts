/**
 * Mail from outside and between users that goes on while something is broken, and the look at all of it afterwards: what was
 * acknowledged is there once, and counters equal a recount. The load is the crash test's.
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
  /** Lets mail go on while `fault` happens and until all of it was taken; then looks at everything. */
  readonly during: (amount: number, fault: () => Promise<void>) => Promise<void>;
};

export function createFaultLoad(world: {
  /** Folder with the cluster that holds everything at the end. */
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
      // What gives up on a connection comes back until everything was taken.
      const load = (async () => {
        while (!isOver || deliveries.length + sends.length > 0) {
          await run();
          await new Promise(resolve => setTimeout(resolve, 50));
        }
      })();
      // A failure is told at the end, with that of the fault before it.
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
