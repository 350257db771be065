/**
 * Fills the mailbox of an account in a running product with generated messages. The server's own
 * ingest seals and stores each one like external mail; flags are then set as users typically leave
 * them. About 1,000 messages per second.
 */
import path from 'node:path';
import { api } from '@keyfold/contract';
import { createClient } from '@keyfold/contract/client';
import { deriveLoginHash } from '@keyfold/crypto/login';
import { createIdentity, deriveVaultKey, lockVault } from '@keyfold/crypto/vault';
import { createFileBlobs } from '../../apps/server/src/adapters/blob-files.ts';
import { createLogger } from '../../apps/server/src/base/logger.ts';
import { loadMasterKey } from '../../apps/server/src/base/master-key.ts';
import { readConfig } from '../../apps/server/src/config/config.ts';
import { embeddedConnection, socketDirOf } from '../../apps/server/src/db/embedded.ts';
import { createDb, createPool } from '../../apps/server/src/db/pool.ts';
import { findOwnersOf } from '../../apps/server/src/features/accounts/users/index.ts';
import { createIngest } from '../../apps/server/src/features/inbound/ingest/index.ts';
import { changeFlags } from '../../apps/server/src/features/mailbox/messages/index.ts';
import { messageOf, receivedAtOf } from './messages.mjs';

const AT_ONCE = 96;
const MARK_AT_ONCE = 1000;

const send = baseUrl => async request => {
  const response = await fetch(baseUrl + request.path, {
    method: request.method,
    headers: { ...request.headers, origin: baseUrl },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  return { status: response.status, retryAfter: null, json: await response.json() };
};

/** Creates an account with the web client's calls. The product's robot check must be off. */
export async function register(baseUrl, name, email, password) {
  const [username, domain] = email.split('@');
  await createClient(api, send(baseUrl)).sign_up.register({
    name,
    username,
    domain,
    password: await deriveLoginHash(password, email),
    captcha: '',
    main_key: await lockVault(await deriveVaultKey(password, email), await createIdentity()),
  });
}

async function inParallel(count, work) {
  let next = 0;
  const run = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
}

/** Marks all but the newest 200 as read, archives a third, and stars every fiftieth. */
async function mark(db, userId, count) {
  const rows = await db
    .selectFrom('mails')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('received_at', 'desc')
    .execute();
  const ids = rows.map(({ id }) => id);
  const change = async (chosen, flags) => {
    for (let at = 0; at < chosen.length; at += MARK_AT_ONCE) {
      const some = chosen.slice(at, at + MARK_AT_ONCE);
      await db.transaction().execute(trx => changeFlags(trx, userId, some, { flags }));
    }
  };
  const old = ids.slice(Math.min(200, count));
  await change(old, { read: true });
  await change(
    old.filter((_, index) => index % 3 === 0),
    { archived: true },
  );
  await change(
    ids.filter((_, index) => index % 50 === 0),
    { starred: true },
  );
}

/**
 * Stores `count` messages for the address of an existing account. Returns the messages stored per
 * second.
 */
export async function fillMailbox(product, email, count) {
  const config = readConfig({ KEYFOLD_DATA: product.dataDir, KEYFOLD_DOMAINS: email.split('@')[1] });
  const socketDir = socketDirOf(path.join(product.dataDir, 'postgres'));
  const db = createDb(createPool(embeddedConnection(socketDir, 'postgres'), createLogger('error'), 12));
  const masterKey = loadMasterKey(config.dataDir);
  const ingest = createIngest({
    db,
    config,
    masterKey,
    blobs: await createFileBlobs(config.dataDir),
    logger: createLogger('error'),
    spamScanner: null,
  });
  try {
    const owner = (await findOwnersOf(db, [email])).get(email);
    if (owner === undefined) throw new Error(`${email} has no account`);
    const startedAt = performance.now();
    await inParallel(count, n =>
      ingest.take({
        raw: Buffer.from(messageOf(n, count, email)),
        envelopeFrom: 'bulk@big.example',
        clientIp: '127.0.0.1',
        helo: 'out.big.example',
        findHostName: async () => ({ kind: 'named', name: 'out.big.example' }),
        recipients: [owner],
        authenticationResults: 'keyfold.test; dmarc=pass header.from=big.example',
        oneClick: null,
        verdicts: { spf: 'pass', dkim: 'none', dmarc: 'pass', dmarcPolicy: 'none' },
        receivedAt: receivedAtOf(n, count),
      }),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    await mark(db, owner.userId, count);
    return count / seconds;
  } finally {
    await ingest.close();
    await db.destroy();
  }
}
