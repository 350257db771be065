// Fair scheduling of PST imports: no import blocks the queue, no worker acts under another worker's
// lease, and no failure is retried indefinitely.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import process from 'node:process';
import { type TestMail, writePst } from '@keyfold/testing/pst-file';
import { expect, test } from 'vitest';
import { useTwoUsers } from '../../../../tests/harness/two-users.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { importPath } from '../../../adapters/import-files-disk.ts';
import {
  PST_DEATHS_MAX,
  PST_ITEM_TIMEOUT_MS,
  PST_LEASE_MS,
  PST_SUSPENDED_MS,
} from '../../../base/import-limits.ts';
import { PST_DESCRIPTOR } from './pst-file.ts';
import { readingArgs } from './pst-reader.ts';
import type { PstSourceOptions } from './pst-source.ts';
import { cancelImport, createPstRunner } from './service.ts';
import { endImport, leaseImport, noteRunning, noteStep } from './store.ts';

const world = useTwoUsers();

const mail = (subject: string): TestMail => ({
  properties: [
    { id: 0x001a, type: 'text', value: 'IPM.Note' },
    { id: 0x0037, type: 'text', value: subject },
    { id: 0x1000, type: 'text', value: `Text of ${subject}` },
    { id: 0x1035, type: 'text', value: `<${subject}@outside.test>` },
  ],
});

async function start(user: TestUser, mails: number): Promise<string> {
  const file = writePst({
    folders: [{ name: 'Inbox', mails: Array.from({ length: mails }, (_, at) => mail(`n${at}`)) }],
  });
  const input = { import_options: '{}' };
  return (await user.client.server_imports.start_pst(input, { file: new Blob([file]) })).data.import_id;
}

const statusOf = async (user: TestUser, id: string) => (await user.client.server_imports.status({ id })).data;

const users = async () => [await registerTestUser(world.app), await registerTestUser(world.app)] as const;

const idOf = async ({ email }: TestUser): Promise<string> =>
  (await world.app.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow())
    .id;

/** Runs up to `turns` turns; returns how many ran. */
async function take(turns: number, options: PstSourceOptions = {}, deps = world.app.deps): Promise<number> {
  const runner = createPstRunner(deps, options);
  let taken = 0;
  while (taken < turns && (await runner.runNext(new AbortController().signal))) taken++;
  await runner.close();
  return taken;
}

test('an import yields to waiting imports when its turn is over', async () => {
  const [ann, cat] = await users();
  const first = await start(ann, 3);
  world.clock.advance(1_000);
  const second = await start(cat, 2);
  world.clock.advance(1_000);
  await take(1, { turnMs: 0 });
  expect(await statusOf(ann, first)).toMatchObject({ status: 'running', processed: 1 });
  world.clock.advance(1_000);
  await take(1, { turnMs: 0 });
  expect(await statusOf(cat, second)).toMatchObject({ processed: 1 });
  world.clock.advance(1_000);
  await take(1, { turnMs: 0 });
  expect(await statusOf(ann, first)).toMatchObject({ processed: 2 });
  expect(await take(2)).toBe(2);
  expect(await statusOf(ann, first)).toMatchObject({ status: 'done', imported: 3, skipped: 0 });
  expect(await statusOf(cat, second)).toMatchObject({ status: 'done', imported: 2, skipped: 0 });
});

test('an import that no other one waits for continues', async () => {
  const [ann] = await users();
  const id = await start(ann, 3);
  expect(await take(9, { turnMs: 0 })).toBe(1);
  expect(await statusOf(ann, id)).toMatchObject({ status: 'done', processed: 3 });
});

test('an import that exceeds its total time fails', async () => {
  const [ann] = await users();
  const id = await start(ann, 3);
  await take(9, { readingMs: () => 0 });
  expect(await statusOf(ann, id)).toMatchObject({ status: 'failed', failure: 'too_slow', processed: 1 });
});

test('the total time of an import survives a restart of the process', async () => {
  const [ann, cat] = await users();
  const id = await start(ann, 3);
  world.clock.advance(1_000);
  const other = await start(cat, 1);
  await take(1, { turnMs: 0 });
  const { spent_ms } = await world.app.db
    .selectFrom('server_imports')
    .select('spent_ms')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(spent_ms).toBeGreaterThan(0);
  await cancelImport(world.app.deps, await idOf(cat), other);
  await take(1, { readingMs: () => spent_ms });
  expect(await statusOf(ann, id)).toMatchObject({ status: 'failed', failure: 'too_slow', processed: 2 });
});

test('a worker that outlived its lease can record nothing more', async () => {
  const [ann] = await users();
  const id = await start(ann, 1);
  const { db } = world.app;
  const slow = await leaseImport(db, 'pst', world.clock.now(), PST_LEASE_MS);
  world.clock.advance(PST_LEASE_MS);
  const next = await leaseImport(db, 'pst', world.clock.now(), PST_LEASE_MS);
  if (slow === undefined || next === undefined) throw new Error('Nothing waited');
  expect([slow.id, next.id]).toEqual([id, id]);
  const leasedUntil = new Date(world.clock.now().getTime() + 2 * PST_LEASE_MS);
  expect(await noteStep(db, slow, { lastKey: 'x', outcome: 'skipped', leasedUntil, spentMs: 1 })).toBe(false);
  expect(await noteRunning(db, slow, { leasedUntil, spentMs: 1 })).toBe(false);
  expect(await endImport(db, slow, { status: 'done', now: world.clock.now() })).toBe(false);
  expect(await noteRunning(db, next, { leasedUntil, spentMs: 1 })).toBe(true);
  expect(PST_LEASE_MS).toBeGreaterThan(2 * PST_ITEM_TIMEOUT_MS);
  await cancelImport(world.app.deps, await idOf(ann), id);
});

test('an import pauses while its owner is suspended and resumes afterwards', async () => {
  const [ann] = await users();
  const id = await start(ann, 2);
  const setStatus = async (status: 'active' | 'suspended') =>
    world.app.db
      .updateTable('users')
      .set({ status })
      .where('id', '=', await idOf(ann))
      .execute();
  await setStatus('suspended');
  expect(await take(9)).toBe(1);
  await setStatus('active');
  expect(await statusOf(ann, id)).toMatchObject({ status: 'running', processed: 0 });
  world.clock.advance(PST_SUSPENDED_MS);
  await take(9);
  expect(await statusOf(ann, id)).toMatchObject({ status: 'done', imported: 2 });
});

test('an internal error that recurs on every attempt ends the import', async () => {
  const [ann] = await users();
  const id = await start(ann, 2);
  const masterKey = {
    ...world.app.deps.masterKey,
    digest: () => {
      throw new Error('No digest');
    },
  };
  const broken = { ...world.app.deps, masterKey };
  await take(1, {}, broken);
  expect(await statusOf(ann, id)).toMatchObject({ status: 'running', processed: 0 });
  await world.app.db
    .updateTable('server_imports')
    .set({ deaths: PST_DEATHS_MAX })
    .where('id', '=', id)
    .execute();
  world.clock.advance(PST_LEASE_MS);
  await take(1, {}, broken);
  expect(await statusOf(ann, id)).toMatchObject({ status: 'failed', failure: 'lost' });
});

test('the reader process can read only its code and the file it was given', async () => {
  const [ann] = await users();
  const file = importPath(world.app.config.dataDir, await start(ann, 1));
  const descriptor = openSync(file, 'r');
  const run = (code: string): string => {
    const program = `const fs = require('node:fs'); try { ${code}; console.log('done'); } catch (error) { console.log(error.code); }`;
    return execFileSync(process.execPath, [...readingArgs(), '-e', program], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit', 'ignore', descriptor],
    }).trim();
  };
  expect(run(`fs.readSync(${PST_DESCRIPTOR}, Buffer.alloc(1), 0, 1, 0)`)).toBe('done');
  expect(run(`fs.writeSync(${PST_DESCRIPTOR}, Buffer.alloc(1), 0, 1, 0)`)).toBe('EBADF');
  for (const other of [file, `/proc/${process.pid}/environ`, '/etc/passwd'])
    expect(run(`fs.readFileSync(${JSON.stringify(other)})`)).toBe('ERR_ACCESS_DENIED');
  closeSync(descriptor);
  await take(1);
});
