// The worker of an export: has mail read, opened and put together by the reading worker (reading.ts), packs it, and keeps the
// archive sealed on the device until it is saved. It holds a key of this export and no other; the page gets numbers, and at
// the end a file.
import * as Comlink from 'comlink';
import { type ExportExtras, type ExportWriter, readExport, writeExport } from './export-archive.ts';
import { beginExport, type ExportFiles, type ExportPlan, findExport, removeExport } from './export-files.ts';
import { createReading, type Reading } from './reading.ts';
import { startReader } from './reading-start.ts';
import { searchCalls } from './search-calls.ts';
import type { ExportPort } from './search-keys.ts';

/** How an export stands. Bytes are of mail in the archive. */
export type ExportState = Pick<ExportPlan, 'format' | 'scope' | 'beganAt'> & {
  readonly phase: 'running' | 'paused' | 'done' | 'failed' | 'full';
  readonly total: number;
  readonly done: number;
  readonly mails: number;
  readonly failed: number;
  readonly bytes: number;
};

/** Mails that are asked for at once. */
const mailsAtOnce = 50;
/** Ids on a page of the list of all mails. */
const idsAtOnce = 5_000;
const writerLock = 'export-writer';

let keys: Comlink.Remote<ExportPort> | null = null;
let reading: Reading | null = null;
let files: ExportFiles | null = null;
let state: ExportState | null = null;
let tell: (state: ExportState) => void = () => undefined;
let isPausing = false;

function setState(change: Partial<ExportState>): void {
  if (state === null) return;
  state = { ...state, ...change };
  tell(state);
}

async function listAll(): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const last = ids.at(-1);
    const page = await searchCalls.mail.ids({
      count: idsAtOnce,
      ...(last === undefined ? {} : { last_id: last }),
    });
    ids.push(...page.data.map(([id]) => id));
    if (page.data.length < idsAtOnce) return ids;
  }
}

async function show(found: ExportFiles): Promise<ExportState> {
  const { plan } = found;
  const place = (await writeExport(found)).place();
  files = found;
  state = {
    format: plan.format,
    scope: plan.scope,
    beganAt: plan.beganAt,
    phase: place.done >= plan.ids.length ? 'done' : 'paused',
    total: plan.ids.length,
    ...place,
  };
  return state;
}

/** Puts some mails into the archive. */
async function pack(writer: ExportWriter, ids: readonly string[], from: Reading): Promise<void> {
  const taken = new Set<string>();
  await from.sources(
    ids,
    Comlink.proxy(async (mail, raw) => {
      taken.add(mail.id);
      // A draft that is nothing but the place of a file that was taken out again holds nothing to export.
      if (raw !== null) await writer.add(mail.id, mail, raw as Uint8Array<ArrayBuffer>);
      else writer.fail(mail.id, 'not opened');
    }),
  );
  for (const id of ids) if (!taken.has(id)) writer.fail(id, 'gone');
}

async function work(held: ExportFiles, from: Reading): Promise<void> {
  const writer = await writeExport(held);
  const { ids } = held.plan;
  try {
    for (let done = writer.place().done; done < ids.length && !isPausing; ) {
      const next = ids.slice(done, done + mailsAtOnce);
      await pack(writer, next, from);
      done += next.length;
      await writer.step(done);
      setState(writer.place());
    }
  } finally {
    await writer.flush();
  }
  setState({ ...writer.place(), phase: writer.place().done >= ids.length ? 'done' : 'paused' });
}

const isFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError';

const exportWorker = {
  /** `portToKeys` leads to the key worker. The export that a closed tab left, or null. */
  start: async (
    portToKeys: MessagePort,
    onState: (state: ExportState) => void,
  ): Promise<ExportState | null> => {
    const port = Comlink.wrap<ExportPort>(portToKeys);
    keys = port;
    tell = onState;
    reading = createReading(() => startReader(port));
    const found = await findExport(sealed => port.openKey(sealed));
    return found === null ? null : show(found);
  },
  /** Begins an export of these mails, or of all. `run` does the work. */
  begin: async (
    plan: Omit<ExportPlan, 'ids' | 'beganAt'>,
    ids: readonly string[] | null,
  ): Promise<ExportState> => {
    if (keys === null) throw new Error('The worker was not started');
    const { key, sealed } = await keys.makeKey();
    const whole = { ...plan, ids: [...(ids ?? (await listAll()))], beganAt: new Date().toISOString() };
    return show(await beginExport(key, sealed, whole));
  },
  /** Works until all is packed or until it is to pause; one tab at a time. Never rejects: the state says how it went. */
  run: async (): Promise<void> => {
    const [held, from] = [files, reading];
    if (held === null || from === null) return;
    isPausing = false;
    setState({ phase: 'running' });
    try {
      await navigator.locks.request(writerLock, () => work(held, from));
    } catch (error) {
      setState({ ...(await writeExport(held)).place(), phase: isFull(error) ? 'full' : 'failed' });
    }
  },
  pause: (): void => {
    isPausing = true;
  },
  /** Writes the archive into a file that its owner chose, or gives it as a Blob. */
  save: async (to: FileSystemFileHandle | null, extras: ExportExtras): Promise<Blob | null> => {
    if (files === null) throw new Error('There is no export');
    if (to === null) {
      // Each piece is a Blob of its own, so that the browser can put it where there is room.
      const parts: Blob[] = [];
      for await (const part of readExport(files, extras)) parts.push(new Blob([part]));
      return new Blob(parts, { type: 'application/zip' });
    }
    const writable = await to.createWritable();
    try {
      for await (const part of readExport(files, extras)) await writable.write(part);
      await writable.close();
    } catch (error) {
      await writable.abort().catch(() => undefined);
      throw error;
    }
    return null;
  },
  /** Ends it, and removes what was packed. */
  remove: async (): Promise<void> => {
    isPausing = true;
    await navigator.locks.request(writerLock, removeExport);
    [files, state] = [null, null];
  },
};
export type ExportWorker = typeof exportWorker;

Comlink.expose(exportWorker);
