import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tests/harness/database.ts';
import {
  insertTestUser,
  makeNewMail,
  readCounters,
  type TestMail,
} from '../../../../tests/harness/mailbox.ts';
import { createMemoryBlobs, type MemoryBlobs } from '../../../adapters/blob-memory.ts';
import { DELETED_MAIL_KEPT_MS, EMPTY_DRAFT_KEPT_MS, ORPHAN_BLOB_KEPT_MS } from '../../../base/limits.ts';
import { createLogger } from '../../../base/logger.ts';
import { forgetScheduled } from '../../accounts/records/index.ts';
import { deleteMails, restoreMails } from '../../reading/mail/flag-changes.ts';
import { holdContainers } from './container-holds.ts';
import { discardContainer, storeContainer } from './containers.ts';
import { addContainer } from './drafting.ts';
import { collectEmptyDrafts, collectOrphanContainers, purgeDeletedMail } from './jobs.ts';
import { removeMails } from './removal.ts';
import { storeMails } from './service.ts';

let database: TestDatabase;
let blobs: MemoryBlobs;
let clock: TestClock;
let userId: string;
const logger = createLogger('silent');
const deps = () => ({ db: database.db, blobs, clock, logger, forgetScheduled });

beforeAll(async () => {
  database = await createTestDatabase();
  blobs = createMemoryBlobs();
  clock = createTestClock(new Date('2026-06-01T00:00:00Z'));
  userId = await insertTestUser(database.db, 'me@keyfold.test');
});
afterAll(async () => {
  const { kept, recounted } = await readCounters(database.db);
  expect(kept).toEqual(recounted);
  await database.drop();
});

async function store(mail: TestMail = {}, owner = userId): Promise<string> {
  const [stored] = await database.db
    .transaction()
    .execute(trx => storeMails(trx, [makeNewMail(owner, { receivedAt: clock.now(), ...mail })]));
  return stored?.id ?? '';
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function exists(id: string): Promise<boolean> {
  const row = await database.db.selectFrom('mails').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

test('deleted mail is purged with its blobs after 30 days, and restored mail stays', async () => {
  const container = await storeContainer(deps(), bytes('sealed'));
  const gone = await store({ attachments: [container] });
  const restored = await store();
  const kept = await store();
  await deleteMails(deps(), userId, [gone, restored]);
  clock.advance(DELETED_MAIL_KEPT_MS - 1000);
  expect(await purgeDeletedMail(deps())).toBe(0);
  await restoreMails(deps(), userId, [restored]);
  clock.advance(1000);
  expect(await purgeDeletedMail(deps())).toBe(1);
  expect(await purgeDeletedMail(deps())).toBe(0);
  expect([await exists(gone), await exists(restored), await exists(kept)]).toEqual([false, true, true]);
  expect(blobs.ids()).toContain(container.blobId);
  expect(await collectOrphanContainers(deps())).toBe(1);
  expect(blobs.ids()).not.toContain(container.blobId);
});

test('a purge takes more than one batch and more than one mailbox', async () => {
  const other = await insertTestUser(database.db, 'other@keyfold.test');
  const ids: string[] = [];
  for (const owner of [userId, other]) {
    const stored = await database.db.transaction().execute(trx =>
      storeMails(
        trx,
        Array.from({ length: 400 }, () => makeNewMail(owner)),
      ),
    );
    const mine = stored.map(mail => mail.id);
    await deleteMails(deps(), owner, mine);
    ids.push(...mine);
  }
  clock.advance(DELETED_MAIL_KEPT_MS);
  const counts = await Promise.all([purgeDeletedMail(deps()), purgeDeletedMail(deps())]);
  // Two concurrent nodes share the work without failing; the next run processes what is left.
  expect(counts[0] + counts[1] + (await purgeDeletedMail(deps()))).toBe(ids.length);
  expect(await purgeDeletedMail(deps())).toBe(0);
});

test('a restore during a purge either succeeds or fails completely', async () => {
  const stored = await database.db.transaction().execute(trx =>
    storeMails(
      trx,
      Array.from({ length: 30 }, () => makeNewMail(userId)),
    ),
  );
  const ids = stored.map(mail => mail.id);
  await deleteMails(deps(), userId, ids);
  clock.advance(DELETED_MAIL_KEPT_MS);
  const restores = ids.map(id => restoreMails(deps(), userId, [id]).catch(() => 0));
  const [purged, ...restored] = await Promise.all([purgeDeletedMail(deps()), ...restores]);
  const saved = restored.reduce((sum, one) => sum + one, 0);
  expect(purged + saved).toBe(30);
});

test('a draft without a body is deleted after a day, and one with a body stays', async () => {
  const empty = await store({ flags: { draft: true, read: true }, body: Buffer.alloc(0), summary: null });
  const saved = await store({ flags: { draft: true } });
  await database.db.updateTable('mails').set({ headers: '' }).where('id', '=', empty).execute();
  const container = await storeContainer(deps(), bytes('sealed'));
  await database.db.transaction().execute(trx => addContainer(trx, userId, empty, container));
  clock.advance(EMPTY_DRAFT_KEPT_MS - 1000);
  expect(await collectEmptyDrafts(deps())).toBe(0);
  clock.advance(1000);
  expect(await collectEmptyDrafts(deps())).toBe(1);
  expect([await exists(empty), await exists(saved)]).toEqual([false, true]);
});

test('a blob without a message is deleted after a day, and one with a message never', async () => {
  clock.advance(ORPHAN_BLOB_KEPT_MS);
  await collectOrphanContainers(deps());
  const orphan = await storeContainer(deps(), bytes('orphan'));
  const used = await storeContainer(deps(), bytes('used'));
  await store({ attachments: [used] });
  clock.advance(ORPHAN_BLOB_KEPT_MS - 1000);
  expect(await collectOrphanContainers(deps())).toBe(0);
  clock.advance(2000);
  expect(await collectOrphanContainers(deps())).toBe(1);
  expect(blobs.ids()).toContain(used.blobId);
  expect(blobs.ids()).not.toContain(orphan.blobId);
  await discardContainer(deps(), used.blobId);
  expect(blobs.ids()).toContain(used.blobId);
});

test('no blob is deleted while a backup copies blobs, and spared ones are deleted later', async () => {
  const orphan = await storeContainer(deps(), bytes('spared'));
  await holdContainers(database.db, async () => {
    await discardContainer(deps(), orphan.blobId);
    clock.advance(ORPHAN_BLOB_KEPT_MS + 1000);
    await collectOrphanContainers(deps());
    expect(blobs.ids()).toContain(orphan.blobId);
  });
  expect(await collectOrphanContainers(deps())).toBeGreaterThan(0);
  expect(blobs.ids()).not.toContain(orphan.blobId);
});

test('a blob whose bytes cannot be deleted is retried and keeps its row until then', async () => {
  const orphan = await storeContainer(deps(), bytes('stubborn'));
  clock.advance(ORPHAN_BLOB_KEPT_MS + 1000);
  const broken = {
    ...deps(),
    blobs: {
      ...blobs,
      remove: async () => {
        throw new Error('store is away');
      },
    },
  };
  expect(await collectOrphanContainers(broken)).toBe(0);
  const rows = await database.db.selectFrom('blobs').select('id').where('id', '=', orphan.blobId).execute();
  expect(rows).toHaveLength(1);
  expect(await collectOrphanContainers(deps())).toBe(1);
});

test('an interrupted upload leaves neither a row nor bytes', async () => {
  const count = async () => (await database.db.selectFrom('blobs').select('id').execute()).length;
  const before = [await count(), blobs.ids().length];
  const broken = (async function* () {
    yield Buffer.from('KFA1');
    throw new Error('connection lost');
  })();
  await expect(storeContainer(deps(), broken)).rejects.toThrow('connection lost');
  expect([await count(), blobs.ids().length]).toEqual(before);
});

test('a reference that is added while orphans are collected keeps its container or is refused, never dangles', async () => {
  for (let round = 0; round < 10; round++) {
    const container = await storeContainer(deps(), bytes(`round ${round}`));
    const first = await store({ attachments: [container] });
    clock.advance(ORPHAN_BLOB_KEPT_MS + 1000);
    const forward = database.db
      .transaction()
      .execute(async trx => {
        const [stored] = await storeMails(trx, [makeNewMail(userId, { attachments: [container] })]);
        await removeMails(trx, userId, [first]);
        return stored?.id ?? '';
      })
      .catch(() => null);
    const [forwarded] = await Promise.all([
      forward,
      collectOrphanContainers(deps()),
      collectOrphanContainers(deps()),
    ]);
    expect(forwarded).not.toBeNull();
    expect(blobs.ids()).toContain(container.blobId);
  }
  const stray = makeNewMail(userId, { attachments: [{ blobId: randomUUIDv7(), sizeBytes: 1 }] });
  await expect(database.db.transaction().execute(trx => storeMails(trx, [stray]))).rejects.toThrow();
});
