/**
 * Setup for tests of inbound mail: a running SMTP listener with the test file's own database, users
 * with real keys, and a reader that decrypts the stored messages as a client would.
 */
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openWholeAttachment } from '@keyfold/crypto/attachment';
import type { MessageSummary } from '@keyfold/crypto/message';
import { createOpener, type Opener } from '@keyfold/crypto/opener';
import { createIdentity, lockVault } from '@keyfold/crypto/vault';
import { reattach } from '@keyfold/mail/mime/reattach';
import { createMemoryBlobs, type MemoryBlobs } from '../../src/adapters/blob-memory.ts';
import { systemClock } from '../../src/adapters/clock.ts';
import { createDns } from '../../src/adapters/dns.ts';
import { createImportFolder } from '../../src/adapters/import-files-disk.ts';
import { directConnector } from '../../src/adapters/outbound-http.ts';
import { createLogger } from '../../src/base/logger.ts';
import { createMasterKey } from '../../src/base/master-key.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Deps } from '../../src/context/deps.ts';
import type { Db } from '../../src/db/pool.ts';
import { createIngest } from '../../src/features/inbound/ingest/index.ts';
import { createDmarcLedger, type DmarcLedger } from '../../src/features/reports/dmarc-reports/index.ts';
import type { ByteBudget } from '../../src/smtp/inbound/byte-budget.ts';
import { type RunningSmtpServer, startSmtpServer } from '../../src/smtp/inbound/server.ts';
import { createTestDatabase } from './database.ts';
import { startTestDns, type TestDns, type Zone } from './dns.ts';

export type InboundTest = {
  readonly deps: Deps;
  readonly blobs: MemoryBlobs;
  readonly dns: TestDns;
  readonly smtp: RunningSmtpServer;
  /** DMARC results that the listener counts for reports. */
  readonly dmarc: DmarcLedger;
  readonly dataDir: string;
  readonly close: () => Promise<void>;
};

/** Starts the listener on a free port, for the domains keyfold.test and other.test. */
export async function startInboundTest(
  options: {
    readonly zone?: Zone;
    readonly deps?: Partial<Deps>;
    /** Settings in addition to those of every test. */
    readonly env?: Readonly<Record<string, string>>;
    /** Limits the mail in memory; replaces the default budget. */
    readonly budget?: ByteBudget;
    /** Interval of certificate checks; replaces the default. */
    readonly certificateLookMs?: number;
  } = {},
): Promise<InboundTest> {
  const database = await createTestDatabase();
  const dns = await startTestDns(options.zone);
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kf-smtp-'));
  const blobs = createMemoryBlobs();
  const deps: Deps = {
    config: readConfig({
      SMTP_PORT: '0',
      KEYFOLD_DOMAINS: 'keyfold.test,other.test',
      KEYFOLD_DATA: dataDir,
      DNS_SERVERS: dns.server,
      ...options.env,
    }),
    logger: createLogger('silent'),
    db: database.db,
    blobs,
    importFiles: createImportFolder(dataDir),
    dns: createDns([dns.server]),
    outboundConnector: directConnector,
    spamScanner: null,
    payments: null,
    clock: systemClock,
    masterKey: createMasterKey(randomBytes(32)),
    ...options.deps,
  };
  const ingest = createIngest(deps);
  const dmarc = createDmarcLedger(deps);
  const smtp = await startSmtpServer(
    deps,
    ingest,
    dmarc,
    undefined,
    options.budget,
    options.certificateLookMs,
  );
  return {
    deps,
    dmarc,
    blobs,
    dns,
    smtp,
    dataDir,
    close: async () => {
      await smtp.close();
      await ingest.close();
      await dns.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type TestReader = {
  readonly userId: string;
  readonly address: string;
  readonly opener: Opener;
};

/** Creates an account with real keys. Further addresses become aliases. */
export async function addReader(
  db: Db,
  [address, ...aliases]: readonly [string, ...string[]],
  options: { readonly isSuper?: boolean; readonly isSuspended?: boolean } = {},
): Promise<TestReader> {
  const identity = await createIdentity();
  const userId = randomUUIDv7();
  await db
    .insertInto('users')
    .values({
      id: userId,
      kdf_email: address,
      email: address,
      name: 'Reader',
      login_hash: 'unused',
      main_key: JSON.stringify(await lockVault(randomBytes(32), identity)),
      ...(options.isSuper ? { is_admin: true, admin_level: 'super' as const } : {}),
      ...(options.isSuspended ? { status: 'suspended' as const } : {}),
    })
    .execute();
  await db
    .insertInto('addresses')
    .values(
      [address, ...aliases].map((one, index) => ({ address: one, user_id: userId, is_primary: index === 0 })),
    )
    .execute();
  await db.insertInto('mailboxes').values({ user_id: userId }).execute();
  return { userId, address, opener: await createOpener(identity) };
}

export type OpenedMail = {
  readonly flags: number;
  readonly headers: string;
  readonly messageId: string;
  readonly fromAddress: string;
  readonly ownAddress: string;
  readonly attachments: number;
  readonly payload: Buffer;
  /** The message as received, with attachments reinserted. */
  readonly raw: Buffer;
  readonly summary: MessageSummary;
};

const b64 = (bytes: Buffer | null): string | null => bytes?.toString('base64') ?? null;

/** Decrypts all messages of a reader, oldest first. */
export async function readMails(
  { deps, blobs }: Pick<InboundTest, 'deps' | 'blobs'>,
  reader: TestReader,
): Promise<OpenedMail[]> {
  const rows = await deps.db
    .selectFrom('mails as m')
    .innerJoin('mail_bodies as b', join =>
      join.onRef('b.user_id', '=', 'm.user_id').onRef('b.mail_id', '=', 'm.id'),
    )
    .selectAll('m')
    .select('b.body')
    .where('m.user_id', '=', reader.userId)
    .orderBy('m.arrived_at')
    .execute();
  const opened: OpenedMail[] = [];
  for (const row of rows) {
    const wrap = {
      ciphertext: b64(row.ciphertext),
      encrypted_key: b64(row.encrypted_key),
      dh_public: b64(row.dh_public),
      salt: b64(row.salt),
    };
    const { payload } = await reader.opener.open({ ...wrap, body: row.body });
    const { summary } = await reader.opener.openSummary({
      ...wrap,
      summary: b64(row.summary) ?? '',
      binding: row.binding,
    });
    const references = await deps.db
      .selectFrom('mail_attachments')
      .select('blob_id')
      .where('mail_id', '=', row.id)
      .execute();
    opened.push({
      flags: row.flags,
      headers: row.headers,
      messageId: row.message_id,
      fromAddress: row.from_address,
      ownAddress: row.own_address,
      attachments: references.length,
      payload: Buffer.from(payload),
      raw: Buffer.from(
        await reattach(payload, async file => {
          const container = await buffer(await blobs.get(file.id));
          return openWholeAttachment(Buffer.from(file.key, 'base64'), container);
        }),
      ),
      summary,
    });
  }
  return opened;
}

/** Throws when a mailbox's counters differ from a recount of its messages. */
export async function recount(db: Db, userId: string): Promise<void> {
  const rows = await db
    .selectFrom('mails')
    .select(['flags', 'size_bytes'])
    .where('user_id', '=', userId)
    .execute();
  const counted = await db
    .selectFrom('mail_counts')
    .select(eb => eb.fn.sum<string>('total').as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const box = await db
    .selectFrom('mailboxes')
    .select('used_bytes')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const usedBytes = rows.reduce((sum, row) => sum + row.size_bytes, 0);
  if (Number(counted.total ?? 0) !== rows.length) throw new Error('mail_counts differs from a recount');
  if (box.used_bytes !== usedBytes) throw new Error('used_bytes differs from a recount');
}
