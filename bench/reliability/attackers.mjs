/** Rows judged by tests alone: races, a hostile server, a stolen disk, and unauthorized calls. */
import { joinRuns, lineOfTests, saidBy } from './row.mjs';
import { runTests } from './test-run.mjs';

const integration = (...names) =>
  runTests({ project: 'integration', files: names.map(name => `apps/server/${name}.test.ts`) });

export const races = {
  goal: 'every invariant holds by recount: 50 at once: lock, bonus, quota, domain limit, same address, delete and restore, last super, same import, same share code',
  measure: async () => {
    const run = await integration('tests/races');
    return lineOfTests('races', races.goal, run, { figures: { said: saidBy(run.lines, 'races') } });
  },
};

const CRYPTO = ['damage', 'message', 'opener', 'attachment', 'record', 'vault', 'retired', 'key-log'];
const CLIENT = [
  ...['mail-opener', 'mail-sealer', 'row-opener', 'row-sender', 'retired-keys', 'sent-id'].map(
    name => `mail/${name}`,
  ),
  ...['key-log-check', 'account-keys'].map(name => `keys/${name}`),
];

export const hostileServer = {
  goal: 'rejected or reported clearly; nothing sealed to a changed key; never silently plaintext: swapped keys, swapped or moved ciphertexts, dropped fields, alert or plaintext flags, other KDF parameters',
  measure: async () => {
    const units = await runTests({
      project: 'unit',
      files: [
        ...CRYPTO.map(name => `packages/crypto/src/${name}.test.ts`),
        ...CLIENT.map(name => `apps/web/src/crypto/${name}.test.ts`),
      ],
    });
    const service = await integration(
      'src/features/accounts/key-log/key-log',
      'src/features/accounts/contacts/contacts',
    );
    const stories = await runTests({
      project: 'browser',
      files: ['key-log', 'contacts', 'program'].map(name => `apps/web/e2e/${name}.test.ts`),
    });
    const parts = { units, service, stories };
    const figures = Object.fromEntries(Object.entries(parts).map(([name, { passed }]) => [name, passed]));
    return lineOfTests('hostile-server', hostileServer.goal, joinRuns(Object.values(parts)), { figures });
  },
};

export const stolenDisk = {
  goal: '0 canaries; no password, login hash, TOTP seed, session token or message key in clear: database, WAL, blobs, logs, tmp, core dumps, backups after every kind of mail',
  measure: async () => {
    const run = await integration('tests/stolen-disk');
    return lineOfTests('stolen-disk', stolenDisk.goal, run, {
      figures: { said: saidBy(run.lines, 'stolen disk') },
    });
  },
};

export const authorization = {
  goal: '0 wrong answers; deny leaves state unchanged; never 500: every call x anonymous, owner, other user, suspended, each admin level, other organization',
  measure: async () => {
    const run = await integration('tests/access', 'tests/admin-access', 'tests/organization-matrix');
    return lineOfTests('authorization', authorization.goal, run, { figures: { tests: run.passed } });
  },
};
