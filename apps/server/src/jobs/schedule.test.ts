import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../tests/harness/app.ts';
import { insertTestUser, makeNewMail } from '../../tests/harness/mailbox.ts';
import type { Logger } from '../base/logger.ts';
import { changeFlags, storeMails } from '../features/mailbox/messages/index.ts';
import { JOBS, startJobs } from './schedule.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('two nodes share one schedule, each job runs on one of them, and both shut down', async () => {
  const { connection } = app.database;
  const nodes = await Promise.all([startJobs(app.deps, connection), startJobs(app.deps, connection)]);
  const boss = new PgBoss({ ...connection, schedule: false, supervise: false, max: 1 });
  boss.on('error', () => undefined);
  await boss.start();
  try {
    const schedules = await boss.getSchedules();
    expect(schedules.map(one => one.name).sort()).toEqual(Object.keys(JOBS).sort());
    const userId = await insertTestUser(app.db, 'purged@keyfold.test');
    const mailId = await app.db.transaction().execute(async trx => {
      const [stored] = await storeMails(trx, [makeNewMail(userId)]);
      const id = stored?.id ?? '';
      await changeFlags(trx, userId, [id], { flags: { deleted: true }, deletedAt: new Date(0) });
      return id;
    });
    const job = await boss.send('purge-deleted-mail');
    // A second job is not queued while the first waits or runs: the queue holds one of each kind.
    expect(await boss.send('purge-deleted-mail')).toBeNull();
    // A worker polls immediately when it starts; the others poll every half minute.
    nodes.push(await startJobs(app.deps, connection));
    await expect
      .poll(async () => (await boss.findJobs('purge-deleted-mail', { id: job ?? '' }))[0]?.state, {
        timeout: 50_000,
        interval: 250,
      })
      .toBe('completed');
    expect(await app.db.selectFrom('mails').select('id').where('id', '=', mailId).execute()).toEqual([]);
  } finally {
    await boss.stop({ graceful: false });
    await Promise.all(nodes.map(node => node.close()));
  }
});

test('a job that fails is named in the log', async () => {
  const lines: unknown[] = [];
  const tell = (line: unknown, text: string) => lines.push([text, line]);
  const logger = { ...app.deps.logger, warn: tell, info: tell, debug: tell } as unknown as Logger;
  const failure = Object.assign(new Error('gone'), { code: 'archive_failing' });
  const blobs = new Proxy(app.deps.blobs, {
    get: () => {
      throw failure;
    },
  });
  const jobs = await startJobs({ ...app.deps, logger, blobs }, app.database.connection);
  try {
    await expect
      .poll(() => lines, { timeout: 50_000, interval: 250 })
      .toContainEqual(['job failed', { err: failure, job: 'move-containers' }]);
  } finally {
    await jobs.close();
  }
});
