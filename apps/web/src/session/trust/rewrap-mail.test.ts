// Re-wrapping old mail after a key replacement: page by page to the end, whatever is removed or
// saved in the meantime.
import { api } from '@keyfold/contract';
import { RECORD_B64_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { beforeEach, expect, test, vi } from 'vitest';

type Mail = { readonly id: string };
const world = vi.hoisted(() => ({
  waiting: [] as { readonly id: string }[],
  removed: new Set<string>(),
  unopened: new Set<string>(),
  asked: [] as (string | undefined)[],
  wrapped: [] as string[],
  states: [] as { readonly waiting: number | null; readonly failed: number }[],
  records: [] as { id: string; version: number; key_used: string | null }[],
  saved: [] as string[],
  pages: [] as number[],
}));
const refusal = vi.hoisted(() => ({ make: (_status: number, _code: string): Error => new Error() }));

vi.mock('../state/current-user.ts', () => ({ getUser: () => ({ main_key: { key_id: 'new' } }) }));
vi.mock('../own-record.ts', () => ({
  isVersionConflict: (error: { readonly code?: string }) => error.code === 'version_conflict',
}));
vi.mock('./rewrap-state.ts', () => ({ setRewrapState: (state: never) => world.states.push(state) }));
vi.mock('../calls/clients/key-rotation.ts', () => ({
  keyRotationClient: {
    retired: async () => ({ data: [{ waiting: world.waiting.length }] }),
    wraps: async ({ count, after }: { count: number; after?: string }) => {
      world.asked.push(after);
      const left = world.waiting.filter(({ id }) => !world.removed.has(id) || world.asked.length < 2);
      return { data: left.filter(({ id }) => after === undefined || id > after).slice(0, count) };
    },
  },
}));
vi.mock('../calls/clients/mail.ts', () => ({
  mailClient: {
    rewrap: async ({ wraps }: { wraps: Mail[] }) => {
      if (wraps.some(({ id }) => world.removed.has(id))) throw refusal.make(404, 'not_found');
      for (const { id } of wraps) world.wrapped.push(id);
      world.waiting = world.waiting.filter(({ id }) => !world.wrapped.includes(id));
    },
  },
}));
vi.mock('../calls/clients/records.ts', () => ({
  recordsClient: {
    list: async ({ kind, after = '', count = 200 }: { kind: string; after?: string; count?: number }) => {
      world.pages.push(count);
      const left = world.records.filter(({ id }) => id > after);
      return { data: kind === 'setting' ? left.slice(0, count) : [] };
    },
    save: async ({ id }: { id: string }) => {
      if (id === 'raced') throw refusal.make(409, 'version_conflict');
      world.saved.push(id);
    },
  },
}));
vi.mock('../../crypto/key-client.ts', () => ({
  keys: () => ({
    rewrapOld: async (mails: Mail[]) => {
      const wraps = mails.filter(({ id }) => !world.unopened.has(id));
      return { wraps, failed: mails.length - wraps.length };
    },
    openRecord: async (_kind: string, id: string) => {
      if (id === 'damaged') throw new Error('Failed to open stored data');
      return id;
    },
    sealOwnRecord: async () => ({ sealed: '', key_used: 'new' }),
  }),
}));

const mails = (count: number): Mail[] =>
  Array.from({ length: count }, (_, at) => ({ id: `mail-${String(at).padStart(4, '0')}` }));

beforeEach(async () => {
  vi.resetModules();
  const { CallError } = await import('@keyfold/contract/client');
  refusal.make = (status, code) => new CallError(api.mail.rewrap, { status, code, message: code });
  Object.assign(world, {
    waiting: [],
    asked: [],
    wrapped: [],
    states: [],
    records: [],
    saved: [],
    pages: [],
  });
  world.removed.clear();
  world.unopened.clear();
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('addEventListener', () => undefined);
});

/** Runs the job to its end, which is the second count of what is left. */
async function runJob(): Promise<void> {
  const { startRewrap } = await import('./rewrap-mail.ts');
  startRewrap();
  await vi.waitFor(() => expect(world.asked.at(-1)).toBe(world.waiting.at(-1)?.id ?? lastWrapped()), 5_000);
  await vi.waitFor(() => expect(world.states.at(-1)?.waiting).toBe(world.waiting.length), 5_000);
}
const lastWrapped = () => world.wrapped.toSorted().at(-1);

test('every message is rewrapped, page by page, and the remaining count falls', async () => {
  world.waiting = mails(120);
  await runJob();
  expect(world.wrapped).toHaveLength(120);
  expect(world.asked).toEqual([undefined, 'mail-0049', 'mail-0099', 'mail-0119']);
  expect(world.states.map(({ waiting }) => waiting)).toEqual([120, 70, 20, 0, 0]);
});

test('removed messages do not block the job, and messages that cannot be opened are counted and skipped', async () => {
  world.waiting = mails(60);
  world.removed.add('mail-0003');
  world.unopened.add('mail-0059');
  await runJob();
  expect(world.wrapped).toHaveLength(58);
  expect(world.states.at(-1)?.failed).toBe(1);
});

test('records are resealed unless they are current, just saved elsewhere, or cannot be opened', async () => {
  world.waiting = mails(1);
  const record = (id: string, key_used: string | null) => ({ id, version: 1, key_used });
  world.records = [record('old', 'old'), record('unnamed', null), record('fine', 'new')];
  world.records.push(record('raced', 'old'), record('damaged', 'old'));
  world.records.sort((a, b) => (a.id < b.id ? -1 : 1));
  await runJob();
  expect(world.saved).toEqual(['old', 'unnamed']);
  expect(world.states.at(-1)?.failed).toBe(1);
});

test('records of any size are fetched to the last one in pages of a few megabytes', async () => {
  world.waiting = mails(1);
  world.records = Array.from({ length: 45 }, (_, at) => ({
    id: `record-${String(at).padStart(2, '0')}`,
    version: 1,
    key_used: 'old',
  }));
  await runJob();
  expect(world.saved).toHaveLength(45);
  expect(Math.max(...world.pages) * RECORD_B64_MAX_CHARACTERS).toBeLessThanOrEqual(4_000_000);
});
