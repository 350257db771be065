/**
 * A durable PostgreSQL for one test that can be stopped in every way, and a standby that follows
 * it.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded.ts';
import type { Db } from '../../src/db/pool.ts';
import { DATA_FOLDERS, isLeftOut, OWN_SETTINGS } from '../../src/db/wal-archive.ts';
import { onDatabase } from '../crash/storage.ts';

export type Cluster = {
  /** The folder around `postgres`, as crash/storage.ts expects it. */
  readonly dataDir: string;
  readonly socketPath: string;
  /** URL for DATABASE_URL. */
  readonly url: string;
  /**
   * Sends PostgreSQL a signal: SIGINT is a fast stop, SIGQUIT an immediate one. PostgreSQL is then
   * restarted.
   */
  readonly signal: (name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL') => void;
  /** Destroys it, as a hardware failure would. */
  readonly destroy: () => Promise<void>;
  /**
   * Creates a standby that receives every commit before it is acknowledged. `promote` makes it the
   * primary.
   */
  readonly addStandby: () => Promise<Standby>;
};

type Standby = {
  readonly dataDir: string;
  readonly socketPath: string;
  readonly promote: () => Promise<Cluster>;
};

const socketPathOf = (socketDir: string): string => path.join(socketDir, '.s.PGSQL.5432');

async function copyWhileRunning(db: Db, from: string, to: string): Promise<void> {
  mkdirSync(to, { mode: 0o700 });
  await db.connection().execute(async one => {
    await sql`select pg_backup_start('standby', true)`.execute(one);
    cpSync(from, to, {
      recursive: true,
      filter: file => !isLeftOut(path.relative(from, file)),
    });
    const { rows } = await sql<{ labelfile: string }>`select labelfile from pg_backup_stop(false)`.execute(
      one,
    );
    writeFileSync(path.join(to, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 });
  });
  for (const folder of DATA_FOLDERS) mkdirSync(path.join(to, folder), { recursive: true, mode: 0o700 });
  const settings = { ...OWN_SETTINGS, 'standby.signal': '' };
  for (const [name, text] of Object.entries(settings))
    writeFileSync(path.join(to, name), text, { mode: 0o600 });
}

function clusterOf(dataDir: string, postgres: EmbeddedPostgres): Cluster {
  const dir = path.join(dataDir, 'postgres');
  const signal: Cluster['signal'] = name => {
    process.kill(Number(readFileSync(path.join(dir, 'postmaster.pid'), 'utf8').split('\n', 1)[0]), name);
  };
  return {
    dataDir,
    socketPath: socketPathOf(postgres.socketDir),
    url: `postgres://keyfold@localhost/postgres?host=${encodeURIComponent(postgres.socketDir)}`,
    signal,
    destroy: async () => {
      // Stopped first, so that it is not restarted.
      const stopped = postgres.stop();
      try {
        signal('SIGKILL');
      } catch {
        // It was already gone.
      }
      await stopped;
      rmSync(dataDir, { recursive: true, force: true });
    },
    addStandby: async () => {
      const other = mkdtempSync(path.join(os.tmpdir(), 'kf-fb-'));
      const to = path.join(other, 'postgres');
      await onDatabase(dataDir, db => copyWhileRunning(db, dir, to));
      const started = startEmbeddedPostgres(to, [`primary_conninfo=host=${postgres.socketDir} user=keyfold`]);
      // It becomes ready only when it is promoted; a failure is reported then.
      started.catch(() => undefined);
      await expect
        .poll(() =>
          onDatabase(dataDir, async db => {
            const { rows } = await sql<{ state: string }>`select state from pg_stat_replication`.execute(db);
            return rows.map(({ state }) => state);
          }),
        )
        .toEqual(['streaming']);
      await onDatabase(dataDir, async db => {
        await sql`alter system set synchronous_standby_names = '*'`.execute(db);
        await sql`select pg_reload_conf()`.execute(db);
      });
      return {
        dataDir: other,
        socketPath: socketPathOf(to),
        promote: async () => {
          await onDatabase(other, db => sql`select pg_promote()`.execute(db));
          return clusterOf(other, await started);
        },
      };
    },
  };
}

export async function startCluster(): Promise<Cluster> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kf-fa-'));
  return clusterOf(dataDir, await startEmbeddedPostgres(path.join(dataDir, 'postgres')));
}
