// The operator's view over the real HTTP server: permissions per level, what the queue shows and
// hides, retrying now, dropping with a notice, domains, jobs, push, storage and versions.
import { createECDH, randomBytes } from 'node:crypto';
import { api, type Call } from '@keyfold/contract';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { useDeliveryTest } from '../../../../tests/harness/delivery.ts';
import { readCounters } from '../../../../tests/harness/mailbox.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { readMetrics } from '../../../base/metrics.ts';
import { setAdmin } from '../../accounts/users/admins.ts';
import { registerJobs, runNoted } from './job-runs.ts';
import { countContainers, foldStorageCounts } from './storage-counts.ts';

const delivery = useDeliveryTest();

type Admin = TestUser & { readonly options: { headers: Record<string, string> } };
const LEVELS = ['user', 'readonly', 'standard', 'super'] as const;
const admins = new Map<(typeof LEVELS)[number], Admin>();
const admin = (level: (typeof LEVELS)[number]): Admin => admins.get(level) as Admin;

beforeAll(async () => {
  for (const level of LEVELS) {
    const user = await registerTestUser(delivery.app);
    if (level !== 'user') await setAdmin(delivery.app.deps, user.email, level);
    const { csrf_token } = await user.client.admin_access.token({});
    admins.set(level, { ...user, options: { headers: { 'x-csrf-token': csrf_token } } });
  }
});
afterAll(() => admins.clear());
afterEach(async () => {
  delivery.sink.refuseRecipient = () => null;
  await delivery.app.db.deleteFrom('outbound_recipients').execute();
  await delivery.app.db.deleteFrom('outbound_messages').execute();
});

const queue = async (input: Parameters<TestUser['client']['operations']['queue']>[0] = {}) =>
  (await admin('readonly').client.operations.queue(input, admin('readonly').options)).data;
const auditOf = async (one: Admin) =>
  delivery.app.db
    .selectFrom('audit_entries')
    .select(['action', 'object', 'subject_id'])
    .where('actor_id', '=', await userIdOf(delivery.app.db, one))
    .where('action', 'in', ['deliver_mail_now', 'drop_mail'])
    .orderBy('id')
    .execute();

/** Sends to external recipients whose server defers with a text that no other user may read. */
async function sendDeferred(...to: string[]) {
  delivery.sink.refuseRecipient = () => [451, '4.7.1 greylisted secret-words for local.part'];
  await delivery.send({ to, subject: 'Private matter', text: 'Nobody else’s business' });
  await delivery.settled(to.length);
}

describe('admin levels', () => {
  const calls = Object.entries({ ...api.operations, ...api.sign_up_codes }) as [string, Call][];
  test.each(calls)('%s requires its admin level or a higher one, and a CSRF token', async (_name, call) => {
    const knock = async (level: (typeof LEVELS)[number], headers: Record<string, string>) => {
      const reply = await admin(level).client.fetch(call.path, {
        method: call.method,
        ...(call.method === 'GET'
          ? { headers }
          : { body: '{}', headers: { ...headers, 'content-type': 'application/json' } }),
      });
      return { status: reply.status, body: (await reply.json()) as { code?: string } };
    };
    const needed = LEVELS.indexOf(call.access as (typeof LEVELS)[number]);
    expect(needed).toBeGreaterThan(0);
    for (const [index, level] of LEVELS.entries()) {
      const { status, body } = await knock(level, admin(level).options.headers);
      if (index < needed) expect([status, body.code], level).toEqual([403, 'forbidden']);
      else expect([200, 400], level).toContain(status);
      if (index >= needed) expect((await knock(level, {})).body.code, level).toBe('csrf_refused');
    }
  });
});

describe('the outbound queue', () => {
  test('shows where mail waits and why, and nothing about messages, senders or recipients', async () => {
    await sendDeferred('local.part@outside.test', 'other@outside.test', 'third@elsewhere.test');
    const seen = await queue();
    expect(seen).toMatchObject({ waiting: 0, deferred: 3, delivering: 0, has_more: false });
    expect(seen.domains).toMatchObject([
      { domain: 'outside.test', recipients: 2, deferred: 2 },
      { domain: 'elsewhere.test', recipients: 1, deferred: 1 },
    ]);
    expect(seen.entries).toHaveLength(3);
    for (const entry of seen.entries)
      expect(entry).toMatchObject({ state: 'deferred', attempts: 1, reply_code: 451, status: '4.7.1' });
    const text = JSON.stringify(seen);
    for (const secret of ['local.part', 'other', 'secret-words', 'Private', delivery.ann.email.split('@')[0]])
      expect(text).not.toContain(secret);
    expect((await queue({ domain: 'Elsewhere.test' })).entries.map(one => one.domain)).toEqual([
      'elsewhere.test',
    ]);
    expect((await queue({ state: 'waiting' })).entries).toEqual([]);
    expect((await queue({ page: 2 })).entries).toEqual([]);
    const { text: metrics } = await readMetrics();
    expect(metrics).toContain('keyfold_outbound_queue_recipients 3');
    expect(metrics).toContain('keyfold_outbound_queue_deferred_recipients 3');
    expect(metrics).not.toMatch(/outside\.test|keyfold\.test/);
  });

  test('is recounted for every request, even when an earlier count was slow', async () => {
    const clock = vi.spyOn(performance, 'now');
    const now = performance.now() + 1_000_000;
    clock.mockImplementation(() => now + 1_000 * clock.mock.calls.length);
    expect(await queue()).toMatchObject({ waiting: 0, deferred: 0, domains: [], entries: [] });
    clock.mockRestore();
    await sendDeferred('a@outside.test');
    expect(await queue()).toMatchObject({ deferred: 1, domains: [{ recipients: 1 }], entries: [{}] });
    await delivery.app.db.deleteFrom('outbound_recipients').execute();
    expect(await queue()).toMatchObject({ deferred: 0, domains: [], entries: [] });
  });

  test('is retried at once for a domain or one recipient, and the retry is audited', async () => {
    await sendDeferred('a@outside.test', 'b@outside.test', 'c@elsewhere.test');
    delivery.sink.refuseRecipient = () => null;
    delivery.newMessages();
    const standard = admin('standard');
    const { data } = await standard.client.operations.deliver_now(
      { domain: 'outside.test' },
      standard.options,
    );
    expect(data.updated).toBe(2);
    await delivery.settled(1);
    expect(
      delivery
        .newMessages()
        .flatMap(({ to }) => to)
        .sort(),
    ).toEqual(['a@outside.test', 'b@outside.test']);
    const [entry] = (await queue()).entries;
    await standard.client.operations.deliver_now({ id: entry?.id ?? '' }, standard.options);
    await delivery.settled(0);
    expect(delivery.newMessages().flatMap(({ to }) => to)).toEqual(['c@elsewhere.test']);
    const refused = (input: object) => standard.client.operations.deliver_now(input, standard.options);
    await expect(refused({ id: entry?.id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(refused({ id: 'nonsense' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(refused({ domain: 'nobody.test' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(refused({})).rejects.toMatchObject({ code: 'malformed' });
    await expect(refused({ id: entry?.id, domain: 'outside.test' })).rejects.toMatchObject({
      code: 'malformed',
    });
    expect(await auditOf(standard)).toEqual([
      { action: 'deliver_mail_now', object: 'outside.test', subject_id: null },
      { action: 'deliver_mail_now', object: 'elsewhere.test', subject_id: null },
    ]);
  });

  test('loses dropped recipients, and the sender gets a failure notice', async () => {
    await sendDeferred('a@outside.test', 'b@outside.test', 'c@elsewhere.test');
    const top = admin('super');
    const before = await delivery.newestNotice();
    const { data } = await top.client.operations.drop_mail({ domain: 'outside.test' }, top.options);
    expect(data).toEqual({ dropped: 2, left: 0 });
    expect((await queue()).entries.map(one => one.domain)).toEqual(['elsewhere.test']);
    const notice = await delivery.newestNotice();
    expect(notice).not.toBe(before);
    const parsed = await PostalMime.parse(notice ?? '');
    expect(parsed.subject).toBe('Undelivered mail returned to sender');
    const part = parsed.attachments.find(one => one.mimeType === 'message/delivery-status');
    const status = new TextDecoder().decode(part?.content as ArrayBuffer);
    expect(status).toContain('Final-Recipient: rfc822;a@outside.test');
    expect(status).toContain('Final-Recipient: rfc822;b@outside.test');
    expect(status).toContain('Status: 5.7.1');
    expect(status).not.toContain('c@elsewhere.test');
    const [entry] = (await queue()).entries;
    expect((await top.client.operations.drop_mail({ id: entry?.id ?? '' }, top.options)).data).toEqual({
      dropped: 1,
      left: 0,
    });
    await expect(top.client.operations.drop_mail({ id: entry?.id ?? '' }, top.options)).rejects.toMatchObject(
      { code: 'not_found' },
    );
    expect(await delivery.app.db.selectFrom('outbound_messages').select('id').execute()).toEqual([]);
    // The log does not record whose message it was: its readers must not see senders.
    expect(await auditOf(top)).toEqual([
      { action: 'drop_mail', object: 'outside.test', subject_id: null },
      { action: 'drop_mail', object: 'elsewhere.test', subject_id: null },
    ]);
    const { kept, recounted } = await readCounters(delivery.app.db);
    expect([kept.counts, kept.used]).toEqual([recounted.counts, recounted.used]);
    expect((await readMetrics()).text).toContain('keyfold_outbound_bounces_total{reason="dropped"} 3');
  });

  test('keeps recipients that are being delivered', async () => {
    await sendDeferred('a@outside.test');
    const until = new Date(delivery.clock.now().getTime() + 60_000);
    await delivery.app.db.updateTable('outbound_recipients').set({ leased_until: until }).execute();
    expect((await queue()).entries).toMatchObject([{ state: 'delivering' }]);
    const top = admin('super');
    for (const act of ['drop_mail', 'deliver_now'] as const)
      await expect(top.client.operations[act]({ domain: 'outside.test' }, top.options)).rejects.toMatchObject(
        { code: 'not_found' },
      );
    expect(await delivery.queueLength()).toBe(1);
  });

  test('stays unchanged when an empty id accompanies a domain', async () => {
    await sendDeferred('a@outside.test', 'b@outside.test');
    const top = admin('super');
    for (const act of ['drop_mail', 'deliver_now'] as const)
      await expect(
        top.client.operations[act]({ id: '', domain: 'outside.test' }, top.options),
      ).rejects.toMatchObject({ code: 'malformed' });
    expect(await delivery.queueLength()).toBe(2);
  });

  test('is dropped once by two concurrent admins', async () => {
    await sendDeferred('a@outside.test', 'b@outside.test');
    const top = admin('super');
    const drop = () => top.client.operations.drop_mail({ domain: 'outside.test' }, top.options);
    const outcomes = await Promise.allSettled([drop(), drop(), drop()]);
    const dropped = outcomes.flatMap(one => (one.status === 'fulfilled' ? [one.value.data.dropped] : []));
    expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(await delivery.queueLength()).toBe(0);
  });
});

describe('the operations overview', () => {
  const ask = () => admin('readonly').client.operations;
  const options = () => admin('readonly').options;

  test('lists the service’s domains first, then claims by name with DKIM and the last check', async () => {
    await delivery.ann.client.domains.register({ domain: 'ann-claims.example' });
    const { data } = await ask().domains({}, options());
    expect(data.domains).toEqual([
      {
        domain: 'keyfold.test',
        kind: 'service',
        verified_at: null,
        dkim: 'ready',
        healthy: null,
        checked_at: null,
        missing_since: null,
      },
      expect.objectContaining({ domain: 'ann-claims.example', kind: 'user', verified_at: null }),
    ]);
    expect(JSON.stringify(data)).not.toContain(delivery.ann.email);
    expect((await ask().domains({ page: 2 }, options())).data).toEqual({ domains: [], has_more: false });
  });

  test('lists jobs with the last run, its numbers or failure code, and the next run', async () => {
    const { db, deps } = delivery.app;
    await registerJobs(db, [
      { name: 'sweep', cron: '5 * * * *' },
      { name: 'old-one', cron: '* * * * *' },
    ]);
    await registerJobs(db, [{ name: 'sweep', cron: '20 * * * *' }]);
    const one = async () => (await ask().jobs({}, options())).data;
    expect(await one()).toMatchObject([{ name: 'sweep', outcome: 'never', last_run_at: null }]);
    await runNoted(deps, 'sweep', async () => ({ sessions: 3, words: 'no number' }));
    const [done] = await one();
    expect(done).toMatchObject({ outcome: 'done', result: { sessions: 3 }, failure: null });
    const next = new Date(done?.next_run_at ?? 0);
    expect(next.getUTCMinutes()).toBe(20);
    expect(next.getTime() - delivery.clock.now().getTime()).toBeLessThanOrEqual(3_600_000);
    const failing = Object.assign(new Error('ann@keyfold.test is in the text'), { code: '23505' });
    await expect(runNoted(deps, 'sweep', () => Promise.reject(failing))).rejects.toBe(failing);
    expect(await one()).toMatchObject([
      { outcome: 'failed', failure: '23505', result: {}, succeeded_at: done?.succeeded_at },
    ]);
    const running = runNoted(deps, 'sweep', async () => (await one())[0]?.outcome);
    expect(await running).toBe('running');
    // Simulates a process that crashed during a run.
    await db.updateTable('job_runs').set({ ended_at: null }).execute();
    delivery.clock.advance(31 * 60_000);
    expect(await one()).toMatchObject([{ outcome: 'failed', failure: 'lost' }]);
  });

  test('lists push platforms, devices, failures and waiting jobs, without user data', async () => {
    const { db } = delivery.app;
    const before = (await ask().push({}, options())).data;
    expect(before.map(({ platform, on }) => [platform, on])).toEqual([
      ['android', false],
      ['ios', false],
      ['web', true],
      ['unifiedpush', true],
    ]);
    const { client } = delivery.ann;
    const keys = {
      p256dh: createECDH('prime256v1').generateKeys('base64url'),
      auth: randomBytes(16).toString('base64url'),
    };
    const token = JSON.stringify({ endpoint: 'https://push.site.test/own-address', keys });
    await client.notifications.register({ token, platform: 'web' });
    await client.notifications.test({ token });
    await db.updateTable('push_devices').set({ failing_since: delivery.clock.now() }).execute();
    const { data } = await ask().push({}, options());
    expect(data.find(({ platform }) => platform === 'web')).toMatchObject({ devices: 1, failing: 1 });
    expect(JSON.stringify(data)).not.toContain('own-address');
    await client.notifications.unregister({ token });
    expect((await ask().push({}, options())).data).toEqual(before);
  });

  test('shows storage counters that match the rows before and after they are folded', async () => {
    const { db, deps } = delivery.app;
    const truth = async () => {
      const sum = async (table: 'blobs' | 'search_segments') =>
        db
          .selectFrom(table)
          .select(eb => [
            eb.fn.countAll<number>().as('items'),
            eb.fn.sum<string | null>('size_bytes').as('size'),
          ])
          .executeTakeFirstOrThrow();
      const [all, search] = [await sum('blobs'), await sum('search_segments')];
      const [allBytes, searchBytes] = [Number(all.size), Number(search.size)];
      return [
        { kind: 'files', items: all.items - search.items, size_bytes: allBytes - searchBytes },
        { kind: 'search', items: search.items, size_bytes: searchBytes },
      ];
    };
    const add = () =>
      delivery.ben.client.search.add_segment({ head: 'AAAA' }, { file: new Blob([randomBytes(1_000)]) });
    for (let count = 0; count < 3; count++) await add();
    expect(await countContainers(db)).toEqual(await truth());
    expect((await countContainers(db))[1]).toMatchObject({ kind: 'search', items: 3, size_bytes: 3_000 });
    expect(await foldStorageCounts(deps)).toBeGreaterThan(0);
    expect(await db.selectFrom('storage_changes').selectAll().execute()).toEqual([]);
    await delivery.ben.client.search.remove_segments({});
    // Concurrent runs each add up what they claim, and count nothing twice.
    await Promise.all([add(), add(), foldStorageCounts(deps), foldStorageCounts(deps)]);
    await foldStorageCounts(deps);
    expect(await countContainers(db)).toEqual(await truth());
    const { data } = await ask().storage({}, options());
    expect(data).toMatchObject({ container_store: 'files', database: 'embedded' });
    expect(data.containers).toEqual(await truth());
    expect(data.database_bytes).toBeGreaterThan(1_000_000);
    expect(data.tables.map(one => one.kind)).toContain('mail');
    expect(data.disk?.free_bytes).toBeGreaterThan(0);
  });

  test('shows the running versions', async () => {
    const { data } = await ask().versions({}, options());
    expect(data).toMatchObject({ node: process.versions.node });
    expect(data.keyfold).toMatch(/^\d+\.\d+\.\d+/);
    expect(data.postgres).toMatch(/^\d+/);
    expect(data.schema).toMatch(/^\d{4}-/);
  });
});
