/**
 * Setup for tests of IMAP imports: the app, a mail provider that it can reach, and access to the
 * results of an import.
 */
import type { ImapMail } from '@keyfold/testing/imap';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createMemoryBlobs } from '../../src/adapters/blob-memory.ts';
import type { ImapSourceOptions } from '../../src/features/imports/server-import/imap-source.ts';
import { createImapRunner } from '../../src/features/imports/server-import/index.ts';
import { startTestApp, type TestApp } from './app.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { startTestProvider, type TestProvider } from './imap-provider.ts';
import { registerTestUser, type TestUser } from './users.ts';

type StartInput = Parameters<TestUser['client']['server_imports']['start_imap']>[0];
type Status = Awaited<ReturnType<TestUser['client']['server_imports']['status']>>['data'];

/** Creates a message with its subject as Message-ID. */
export const mail = (
  uid: number,
  subject: string,
  more: Partial<ImapMail> = {},
  text = `Text of ${subject}`,
): ImapMail => ({
  uid,
  raw: `From: Gus <gus@outside.test>\r\nTo: ann@letters.test\r\nSubject: ${subject}\r\nDate: Tue, 05 Mar 2019 10:20:30 +0000\r\nMessage-ID: <${subject.replace(/\W/g, '-')}@outside.test>\r\n\r\n${text}\r\n`,
  ...more,
});

export type ImapWorld = {
  readonly app: TestApp;
  readonly clock: TestClock;
  readonly provider: TestProvider;
  readonly bob: TestUser;
  readonly login: StartInput & { readonly security: 'tls' };
  readonly start: (user: TestUser, change?: Partial<StartInput>) => Promise<string>;
  readonly statusOf: (user: TestUser, id: string) => Promise<Status>;
  /** Reads all waiting imports as a worker does. Returns the number of passes. */
  readonly readAll: (options?: ImapSourceOptions, turns?: number) => Promise<number>;
  readonly idOf: (user: TestUser) => Promise<string>;
  /** Returns the tables with a row that contains one of these texts, as text or as bytes. */
  readonly rowsWith: (...texts: readonly string[]) => Promise<string[]>;
  /** Returns everything written to the log. */
  readonly logged: () => string;
};

/**
 * Starts the app and the provider for the tests of one file. Each test begins with an empty
 * provider.
 */
export function useImapWorld(): ImapWorld {
  const lines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const world = {
    clock: createTestClock(),
    login: {
      host: 'imap.old.test',
      port: 993,
      security: 'tls',
      user: 'ann@old.test',
      password: 'app password',
    },
    logged: () => lines.join(''),
    start: async (user, change = {}) =>
      (await user.client.server_imports.start_imap({ ...world.login, ...change })).data.import_id,
    statusOf: async (user, id) => (await user.client.server_imports.status({ id })).data,
    readAll: async (options, turns = 100) => {
      const runner = createImapRunner(world.app.deps, options);
      let taken = 0;
      while (taken < turns && (await runner.runNext(new AbortController().signal))) taken++;
      await runner.close();
      return taken;
    },
    idOf: async ({ email }) =>
      (
        await world.app.db
          .selectFrom('users')
          .select('id')
          .where('email', '=', email)
          .executeTakeFirstOrThrow()
      ).id,
    rowsWith: async (...texts) => {
      const { rows: tables } = await sql<{ name: string }>`
        select quote_ident(table_name) as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(world.app.db);
      const found: string[] = [];
      for (const { name } of tables)
        for (const text of texts) {
          const hex = Buffer.from(text).toString('hex');
          const { rows } = await sql<{ count: number }>`
            select count(*)::int as count from ${sql.raw(name)} t
            where strpos(t::text, ${text}) > 0 or strpos(t::text, ${hex}) > 0`.execute(world.app.db);
          if ((rows[0]?.count ?? 0) > 0) found.push(`${name}: ${text}`);
        }
      return found;
    },
  } as { -readonly [K in keyof ImapWorld]: ImapWorld[K] };
  beforeAll(async () => {
    world.provider = await startTestProvider();
    world.app = await startTestApp({
      blobs: createMemoryBlobs(),
      clock: world.clock,
      dns: world.provider.dns,
      outboundConnector: world.provider.outboundConnector,
      logger,
    });
    world.bob = await registerTestUser(world.app);
  });
  beforeEach(() => {
    for (const server of [world.provider.tls, world.provider.plain]) {
      server.mailboxes = [];
      server.commands.length = 0;
      server.answer = () => false;
      server.password = world.login.password;
      server.capabilities = 'SPECIAL-USE AUTH=PLAIN';
      server.greeting = '* OK ready';
    }
  });
  afterAll(async () => {
    await world.app.close();
    await world.provider.close();
  });
  return world;
}
