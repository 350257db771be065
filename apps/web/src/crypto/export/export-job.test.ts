// The export job with an in-memory file system, real locks and real sealing: what is stored when,
// and how two tabs affect each other. A fake reading worker supplies the messages.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TakeSources } from '../reading/reading.ts';
import { createExportJob, type ExportState } from './export-job.ts';

const MI_B = 1024 * 1024;
const { locks } = navigator;

/** Folders and their files. */
let disk: Map<string, Map<string, Uint8Array>>;
let roomBytes: number;
const missing = () => new DOMException('', 'NotFoundError');

function fileIn(folder: Map<string, Uint8Array>, name: string) {
  return {
    createSyncAccessHandle: async () => ({
      truncate: () => folder.set(name, new Uint8Array()),
      write: (bytes: Uint8Array) => {
        if (bytes.length > roomBytes) return 0;
        roomBytes -= bytes.length;
        folder.set(name, bytes.slice());
        return bytes.length;
      },
      flush: () => undefined,
      close: () => undefined,
    }),
    getFile: async () => {
      const bytes = folder.get(name) as Uint8Array<ArrayBuffer>;
      return { arrayBuffer: async () => bytes.slice().buffer };
    },
  };
}

const root = {
  getDirectoryHandle: async (name: string, { create }: { create: boolean }) => {
    if (!disk.has(name) && !create) throw missing();
    if (!disk.has(name)) disk.set(name, new Map());
    return {
      getFileHandle: async (file: string, options?: { create: boolean }) => {
        const folder = disk.get(name);
        if (folder === undefined || !(folder.has(file) || options?.create)) throw missing();
        if (!folder.has(file)) folder.set(file, new Uint8Array());
        return fileIn(folder, file);
      },
    };
  },
  removeEntry: async (name: string) => {
    if (!disk.delete(name)) throw missing();
  },
};

beforeEach(() => {
  disk = new Map();
  roomBytes = Number.POSITIVE_INFINITY;
  vi.stubGlobal('navigator', { locks, storage: { getDirectory: async () => root } });
});
afterEach(() => vi.unstubAllGlobals());

const sealed = new Map<string, Uint8Array>();
const ownKeys = {
  makeKey: async () => {
    const key = crypto.getRandomValues(new Uint8Array(32));
    const name = Buffer.from(key).toString('hex').slice(0, 8);
    sealed.set(name, key);
    return { key, sealed: name };
  },
  openKey: async (name: string): Promise<Uint8Array | null> => sealed.get(name)?.slice() ?? null,
};

const state = {
  alert: false,
  archived: false,
  deleted: false,
  draft: false,
  flagged: false,
  read: true,
  received_at: '2026-11-08T07:06:05.000Z',
  sent: false,
  starred: false,
  tags: [],
};
function mailOf(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const raw = new Uint8Array(sizeBytes).fill(0x61);
  raw.set(new TextEncoder().encode('Subject: One\r\n\r\n'));
  return raw;
}
type Mails = Readonly<Record<string, () => Uint8Array<ArrayBuffer> | null>>;

/**
 * Opens a tab: its export state, the messages it requested, and a hook that runs before a message
 * is handed over.
 */
function openTab(mails: Mails, keys = ownKeys) {
  const tab = {
    state: null as ExportState | null,
    asked: [] as string[],
    before: async (_id: string): Promise<void> => undefined,
  };
  const sources = async (ids: readonly string[], take: TakeSources): Promise<void> => {
    tab.asked.push(...ids);
    for (const id of ids) {
      const raw = mails[id];
      if (raw === undefined) continue;
      // Large messages are not opened before their turn.
      await take([]);
      await tab.before(id);
      const bytes = raw();
      await take([{ id, state, source: bytes === null ? null : { raw: bytes, sha256Hex: 'ff' } }]);
    }
  };
  const job = createExportJob({
    keys,
    reading: { sources },
    listAll: async () => Object.keys(mails),
    tell: next => {
      tab.state = next;
    },
  });
  return Object.assign(tab, { job });
}

const plan = { format: 'mbox', scope: null } as const;
const extras = { cards: '', contacts: 0, tags: [] };
const dataBytes = (): number[] =>
  [...(disk.get('export') ?? [])].filter(([name]) => name.endsWith('.data')).map(([, bytes]) => bytes.length);
const small = () => mailOf(1_000);
async function saved(tab: ReturnType<typeof openTab>): Promise<Buffer> {
  const blob = await tab.job.save(null, extras);
  return Buffer.from(await (blob as Blob).arrayBuffer());
}

describe('large messages', () => {
  test('are exported one by one in slices and are not requested again', async () => {
    const large = () => mailOf(9 * MI_B);
    const tab = openTab({ a: large, b: () => mailOf(20 * MI_B), c: large, d: small, e: small });
    await tab.job.begin(plan, ['a', 'b', 'gone', 'c', 'd', 'e']);
    const left: number[] = [];
    tab.before = async id => {
      left.push(dataBytes().reduce((sum, bytes) => sum + bytes, 0));
      if (id === 'e') throw new Error('no answer');
    };
    await tab.job.run();
    // Packed bytes are on the device before the next message arrives, except for less than a piece.
    expect(left.map(bytes => Math.round(bytes / MI_B))).toEqual([0, 9, 29, 38, 38]);
    expect(Math.max(...dataBytes())).toBeLessThan(8.1 * MI_B);
    expect(tab.state).toMatchObject({ phase: 'failed', done: 5, mails: 4, failed: 1 });
    tab.asked.length = 0;
    tab.before = async () => undefined;
    await tab.job.run();
    expect(tab.asked).toEqual(['e']);
    expect(tab.state).toMatchObject({ phase: 'done', done: 6, mails: 5, failed: 1 });
    const again = openTab({});
    expect(await again.job.find()).toMatchObject({ phase: 'done', done: 6, mails: 5, failed: 1 });
    const zip = await saved(again);
    const manifest = JSON.parse(
      zip.toString('latin1').match(/\{"keyfold_export"[\s\S]*?\n\]\}\n/)?.[0] ?? '',
    );
    expect(manifest.mails.map(({ id, size }: { id: string; size: number }) => [id, size])).toEqual([
      ['a', 9 * MI_B],
      ['b', 20 * MI_B],
      ['c', 9 * MI_B],
      ['d', 1_000],
      ['e', 1_000],
    ]);
    expect(manifest.failed).toEqual([{ id: 'gone', why: 'gone' }]);
  });
});

describe('many messages', () => {
  const ids = Array.from({ length: 260 }, (_, at) => `m${at}`);
  const mails = Object.fromEntries(ids.map(id => [id, small]));

  test('are requested ahead and packed in their order', async () => {
    const tab = openTab(mails);
    await tab.job.begin(plan, null);
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    tab.before = async id => {
      if (id === 'm0') await held;
    };
    const working = tab.job.run();
    await expect.poll(() => tab.asked.length).toBe(200);
    expect(tab.state).toMatchObject({ phase: 'running', done: 0 });
    letGo();
    await working;
    expect(tab.state).toMatchObject({ phase: 'done', done: 260, mails: 260, failed: 0, perMinute: null });
    const found = (await saved(tab)).toString('latin1').matchAll(/^\{"id":"(m\d+)"/gm);
    expect(Array.from(found, ([, id]) => id)).toEqual(ids);
  });

  test('a pause finishes the current batch and does not wait for others', async () => {
    const tab = openTab(mails);
    await tab.job.begin(plan, null);
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    tab.before = async id => {
      if (id === 'm0') await held;
      if (id === 'm50') await new Promise(() => undefined);
    };
    const working = tab.job.run();
    await expect.poll(() => tab.asked.length).toBe(200);
    tab.job.pause();
    letGo();
    await working;
    expect(tab.state).toMatchObject({ phase: 'paused', done: 50, mails: 50 });
    tab.before = async () => undefined;
    await tab.job.run();
    expect(tab.state).toMatchObject({ phase: 'done', done: 260, mails: 260 });
  });

  test('that fail to load end the run after the messages before them', async () => {
    const tab = openTab(mails);
    await tab.job.begin(plan, null);
    tab.before = async id => {
      if (id === 'm70') throw new Error('no answer');
    };
    await tab.job.run();
    expect(tab.state).toMatchObject({ phase: 'failed', done: 70, mails: 70 });
  });

  test('report how many are packed per minute', async () => {
    const tab = openTab(mails);
    await tab.job.begin(plan, null);
    const rates: number[] = [];
    tab.before = async id => {
      if (Number(id.slice(1)) % 50 === 0) await new Promise(resolve => setTimeout(resolve, 250));
      if (tab.state?.perMinute != null) rates.push(tab.state.perMinute);
    };
    await tab.job.run();
    expect(rates.length).toBeGreaterThan(0);
    expect(Math.min(...rates)).toBeGreaterThan(50);
    expect(Math.max(...rates)).toBeLessThan(260 * 60 * 4);
  });
});

describe('two tabs', () => {
  test('a tab that checked earlier continues where the other one ended', async () => {
    const mails = { a: small, b: small };
    const one = openTab(mails);
    await one.job.begin(plan, null);
    const two = openTab(mails);
    expect(await two.job.find()).toMatchObject({ phase: 'paused', done: 0 });
    await one.job.run();
    const zip = await saved(one);
    await two.job.run();
    expect(two.asked).toEqual([]);
    expect(two.state).toMatchObject({ phase: 'done', mails: 2 });
    expect((await saved(two)).equals(zip)).toBe(true);
    expect((await saved(one)).equals(zip)).toBe(true);
  });

  test('while one tab works, the other cannot begin, save or remove an export, and a pause ends its wait', async () => {
    const one = openTab({ a: small });
    await one.job.begin(plan, null);
    const two = openTab({ a: small });
    await two.job.find();
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    one.before = async () => {
      reached.resolve();
      await held;
    };
    const working = one.job.run();
    await reached.promise;
    const others = [two.job.begin(plan, null), two.job.save(null, extras), two.job.remove()];
    for (const end of await Promise.allSettled(others))
      expect(end).toMatchObject({ status: 'rejected', reason: { name: 'OtherTabError' } });
    const waiting = two.job.run();
    expect(two.state?.phase).toBe('running');
    two.job.pause();
    await waiting;
    expect(two.state?.phase).toBe('paused');
    letGo();
    await working;
    expect(one.state).toMatchObject({ phase: 'done', mails: 1 });
  });

  test('an export that another tab removed or restarted is shown in its current state', async () => {
    const one = openTab({ a: small });
    await one.job.begin(plan, null);
    await one.job.run();
    const two = openTab({ a: small });
    await two.job.find();
    const three = openTab({ a: small });
    await three.job.find();
    await two.job.remove();
    await expect(one.job.save(null, extras)).rejects.toMatchObject({ name: 'OtherTabError' });
    expect(one.state).toBeNull();
    await two.job.begin({ format: 'eml', scope: null }, null);
    await expect(three.job.save(null, extras)).rejects.toMatchObject({ name: 'OtherTabError' });
    expect(three.state).toMatchObject({ format: 'eml', phase: 'paused' });
    await three.job.run();
    expect(three.state).toMatchObject({ format: 'eml', phase: 'done', mails: 1 });
  });

  test('an export that another tab is just starting is left alone', async () => {
    disk.set('export', new Map([['key', new TextEncoder().encode('cut off')]]));
    const tab = openTab({});
    await locks.request('export-writer', async () => {
      expect(await tab.job.find()).toBeNull();
    });
    expect(disk.has('export')).toBe(true);
    expect(await tab.job.find()).toBeNull();
    expect(disk.has('export')).toBe(false);
  });
});

test('pieces that do not belong together are rejected when saving', async () => {
  const large = () => mailOf(9 * MI_B);
  const tab = openTab({ a: large, b: large });
  await tab.job.begin(plan, null);
  await tab.job.run();
  const folder = disk.get('export') as Map<string, Uint8Array>;
  folder.set('1.0.data', folder.get('1.1.data') as Uint8Array);
  await expect(tab.job.save(null, extras)).rejects.toThrow('Failed to open stored data');
});

test('an export is not discarded as another user’s while the keys are locked', async () => {
  await openTab({ a: small }).job.begin(plan, null);
  const locked = openTab({}, { ...ownKeys, openKey: () => Promise.reject(new Error('Vault not found.')) });
  await expect(locked.job.find()).rejects.toThrow('Vault not found.');
  expect(disk.has('export')).toBe(true);
  const somebody = openTab({}, { ...ownKeys, openKey: async () => null });
  expect(await somebody.job.find()).toBeNull();
  expect(disk.has('export')).toBe(false);
});

test('a run whose working copy disappears fails with the last known total', async () => {
  const tab = openTab({ a: () => mailOf(9 * MI_B), b: small });
  await tab.job.begin(plan, null);
  tab.before = async id => {
    if (id === 'b') disk.clear();
  };
  await expect(tab.job.run()).resolves.toBeUndefined();
  expect(tab.state).toMatchObject({ phase: 'failed', total: 2 });
});

test('a full device is reported as full, and the run can resume', async () => {
  const tab = openTab({ a: () => mailOf(9 * MI_B) });
  await tab.job.begin(plan, null);
  roomBytes = MI_B;
  await tab.job.run();
  expect(tab.state).toMatchObject({ phase: 'full', done: 0, mails: 0 });
  roomBytes = Number.POSITIVE_INFINITY;
  await tab.job.run();
  expect(tab.state).toMatchObject({ phase: 'done', mails: 1 });
});
