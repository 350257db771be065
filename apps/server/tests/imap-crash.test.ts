// An import from another provider and kill -9: imported messages exist once, the import resumes
// after them or is ended by its owner, and neither credentials nor mail are readable on disk, after
// the kill or at the end.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makeCertificate } from '@keyfold/testing/certificate';
import { type ImapServer, startImapServer } from '@keyfold/testing/imap';
import { createProduct, type Product } from '@keyfold/testing/product';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkCounters, onDatabase } from './crash/storage.ts';
import { createTestClient } from './harness/client.ts';
import { mail } from './harness/imap-world.ts';
import { registerTestUser, type TestUser } from './harness/users.ts';

const IN_INBOX = 26;
const ELSEWHERE = 4;
const secret = 'nobody-finds-these-words-on-the-disk';
const KILLED_AFTER = 7;

let provider: ImapServer;
let product: Product;
let trusted: string;
beforeAll(async () => {
  const keys = await makeCertificate(['127.0.0.1']);
  trusted = await mkdtemp(path.join(os.tmpdir(), 'kf-authority-'));
  const authority = path.join(trusted, 'authority.pem');
  await writeFile(authority, keys.cert);
  provider = await startImapServer(keys);
  product = await createProduct({
    KEYFOLD_CAPTCHA_COST: '0',
    KEYFOLD_WELCOME: 'off',
    KEYFOLD_LOG: 'debug',
    KEYFOLD_IMAP_PORTS: String(provider.port),
    KEYFOLD_ALLOW_PRIVATE_IMAP: 'true',
    NODE_EXTRA_CA_CERTS: authority,
  });
  await product.start();
});
afterAll(async () => {
  await product?.remove();
  await provider?.close();
  await rm(trusted, { recursive: true, force: true });
});

const register = (): Promise<TestUser> =>
  registerTestUser({
    config: { domains: ['keyfold.test'] },
    client: () => createTestClient(product.baseUrl),
  });

async function start({ client }: TestUser): Promise<string> {
  const { port, user, password } = provider;
  const login = { host: '127.0.0.1', port, security: 'tls', user, password } as const;
  return (await client.server_imports.start_imap(login)).data.import_id;
}
const statusOf = async ({ client }: TestUser, id: string) =>
  (await client.server_imports.status({ id })).data;
const messageIdsOf = async ({ client }: TestUser): Promise<string[]> =>
  (await client.mail.query({ count: 200 })).data
    .filter(({ alert }) => !alert)
    .map(({ message_id }) => message_id);

/**
 * Returns which of these texts occur in the product's output or in one of its files, including
 * database and journal.
 */
async function findReadable(...texts: readonly string[]): Promise<string[]> {
  const found = texts.filter(text => product.output().includes(text)).map(text => `output: ${text}`);
  const entries = await readdir(product.dataDir, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    // A running database removes some files in the meantime.
    const content = await readFile(path.join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    found.push(...texts.filter(text => content.includes(text)).map(text => `${entry.name}: ${text}`));
  }
  return found;
}

async function expectSealed({ email }: TestUser): Promise<void> {
  const found = await findReadable(provider.password, provider.user, secret, email);
  expect(found.filter(one => !one.endsWith(email))).toEqual([]);
  // Non-secret texts are found.
  expect(found).not.toEqual([]);
}

/** Expires the leases of a dead process, as happens after three minutes. */
const endLeases = () =>
  onDatabase(product.dataDir, db =>
    db
      .updateTable('server_imports')
      .set({ leased_until: new Date() })
      .where('leased_until', 'is not', null)
      .execute(),
  );
const sealedSecrets = () =>
  onDatabase(product.dataDir, async db => {
    const rows = await db.selectFrom('server_imports').select(['id', 'secret_sealed']).execute();
    return new Map(rows.map(row => [row.id, row.secret_sealed]));
  });

test('an import resumes after kill -9 or ends on request, with nothing lost, duplicated or readable', async () => {
  const [ann, bob] = [await register(), await register()];
  const messages = (first: number, count: number) =>
    Array.from({ length: count }, (_, at) => mail(at + 1, `Letter ${first + at}`, {}, secret));
  provider.mailboxes = [
    { name: 'INBOX', mails: messages(0, IN_INBOX) },
    { name: 'Travel', mails: messages(IN_INBOX, ELSEWHERE) },
  ];
  // The second batch starts and does not finish before the kill.
  let isHeld = true;
  provider.answer = ({ name, rest, write }) => {
    const from = Number(/^FETCH (\d+)\S* .*BODY\.PEEK\[\]/.exec(rest)?.[1] ?? 0);
    if (!isHeld || name !== 'UID' || from <= 1) return false;
    write(`* ${from} FETCH (UID ${from} BODY[] {400}\r\nFrom: Gus <gus@outside.test>\r\n`);
    return true;
  };
  const [annsId, bobsId] = [await start(ann), await start(bob)];
  for (const [user, id] of [[ann, annsId] as const, [bob, bobsId] as const])
    await expect
      .poll(async () => (await statusOf(user, id)).processed, { interval: 5 })
      .toBeGreaterThanOrEqual(KILLED_AFTER);
  await product.killAll();
  await expectSealed(ann);
  isHeld = false;

  await product.start();
  const between = await statusOf(ann, annsId);
  expect(between).toMatchObject({ status: 'running', failure: null, total: IN_INBOX + ELSEWHERE });
  expect(between.processed).toBeGreaterThanOrEqual(KILLED_AFTER);
  expect(between.processed).toBeLessThan(IN_INBOX);
  expect(await messageIdsOf(ann)).toHaveLength(between.imported);
  expect((await sealedSecrets()).get(annsId)).toBeInstanceOf(Buffer);

  await bob.client.server_imports.cancel({ id: bobsId });
  const { imported } = await statusOf(bob, bobsId);
  expect(await statusOf(bob, bobsId)).toMatchObject({ status: 'cancelled', failure: null });
  expect(await messageIdsOf(bob)).toHaveLength(imported);

  await endLeases();
  await expect.poll(async () => (await statusOf(ann, annsId)).status).toBe('done');
  expect(await statusOf(ann, annsId)).toMatchObject({
    processed: IN_INBOX + ELSEWHERE,
    imported: IN_INBOX + ELSEWHERE,
    skipped: 0,
    failed: 0,
    failure: null,
  });
  const found = await messageIdsOf(ann);
  expect(found).toHaveLength(IN_INBOX + ELSEWHERE);
  expect(new Set(found).size).toBe(found.length);
  expect(await messageIdsOf(bob)).toHaveLength(imported);
  expect([...(await sealedSecrets()).values()]).toEqual([null, null]);
  await checkCounters(product.dataDir);
  await expectSealed(ann);
});
