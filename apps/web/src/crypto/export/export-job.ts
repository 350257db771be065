// The export job: start, run, pause, resume, save, remove. All tabs share one working copy, so
// every reader and writer holds a lock and first checks its current state, because another tab may
// have resumed it or started another.
import { EXPORT_LOCK_MS, EXPORT_TELL_MS } from '../../timing.ts';
import type { Reading } from '../reading/reading.ts';
import type { ExportPort } from '../reading/search-keys.ts';
import { type ExportExtras, type ExportWriter, readExport, writeExport } from './export-archive.ts';
import {
  beginExport,
  type ExportPlace,
  type ExportPlan,
  findExport,
  type KeptExport,
  removeExport,
} from './export-files.ts';

/** State of an export. Bytes are of mail in the archive. */
export type ExportState = Pick<ExportPlan, 'format' | 'scope' | 'beganAt'> & {
  readonly phase: 'running' | 'paused' | 'done' | 'failed' | 'full';
  readonly total: number;
  readonly done: number;
  readonly mails: number;
  readonly failed: number;
  readonly bytes: number;
  /**
   * Messages packed per minute since the start or resumption; null while the export is not running.
   */
  readonly perMinute: number | null;
};

/** Thrown when another tab is using the working copy or has changed it. */
class OtherTabError extends Error {
  override name = 'OtherTabError';
}

/** Number of messages requested at once, and how many such requests run ahead of packing. */
const MAILS_AT_ONCE = 50;
const BATCHES_AT_ONCE = 4;
const MINUTE_MS = 60_000;
const writerLock = 'export-writer';

type ExportDeps = {
  readonly keys: Pick<ExportPort, 'makeKey' | 'openKey'>;
  readonly reading: Pick<Reading, 'sources'>;
  readonly listAll: () => Promise<string[]>;
  /** Receives the state; null when another tab has removed the export. */
  readonly tell: (state: ExportState | null) => void;
};

/**
 * Runs `work` while no other tab uses the working copy. Rejects with OtherTabError when another tab
 * keeps using it.
 */
async function alone<T>(work: () => Promise<T>, mode: LockMode = 'exclusive'): Promise<T> {
  const signal = AbortSignal.timeout(EXPORT_LOCK_MS);
  let isGranted = false;
  try {
    return (await navigator.locks.request(writerLock, { mode, signal }, () => {
      isGranted = true;
      return work();
    })) as T;
  } catch (error) {
    throw isGranted ? error : new OtherTabError();
  }
}

// Compares only the name, because an error that crossed another worker has lost its class.
const isFull = (error: unknown): boolean => error instanceof Error && error.name === 'QuotaExceededError';

/**
 * Packs a batch of messages into the archive once its `turn` resolves; `done` messages precede them
 * in the plan.
 */
async function pack(
  writer: ExportWriter,
  ids: readonly string[],
  done: number,
  from: ExportDeps['reading'],
  turn: Promise<void>,
): Promise<void> {
  let next = 0;
  const passTo = (end: number): void => {
    for (; next < end; next += 1) writer.fail(ids[next] as string, 'gone');
  };
  // Messages arrive in the requested order, so a skipped message no longer exists.
  const packed = from.sources(ids, async mails => {
    await turn;
    for (const { id, state, source } of mails) {
      const at = ids.indexOf(id, next);
      if (at === -1) continue;
      passTo(at);
      // A draft that is only the placeholder of a removed file has no content to export.
      if (source === null) writer.fail(id, 'not opened');
      else writer.add(id, state, source.raw as Uint8Array<ArrayBuffer>, source.sha256Hex);
      next = at + 1;
      await writer.step(done + next);
    }
  });
  // If the turn rejects, the batch fails without waiting for responses.
  await Promise.all([turn, packed]);
  passTo(ids.length);
  await writer.step(done + ids.length);
}

type PackNeeds = {
  readonly reading: ExportDeps['reading'];
  /** Aborted to pause. */
  readonly signal: AbortSignal;
  readonly setState: (change: Partial<ExportState>) => void;
};

/** Packs the remaining messages until all are packed or the export is paused. */
async function packAll(
  writer: ExportWriter,
  ids: readonly string[],
  { reading, signal, setState }: PackNeeds,
): Promise<void> {
  const began = { at: performance.now(), done: writer.place().done };
  let toldAt = began.at;
  const progress = (): void => {
    const now = performance.now();
    if (now - toldAt < EXPORT_TELL_MS) return;
    toldAt = now;
    const place = writer.place();
    setState({ ...place, perMinute: ((place.done - began.done) / (now - began.at)) * MINUTE_MS });
  };
  let last = Promise.resolve();
  const waiting: Promise<void>[] = [];
  // The next messages are fetched and opened while the previous ones are packed.
  const startNext = (at: number): void => {
    const turn = last.then(() => signal.throwIfAborted());
    const some = ids.slice(at, at + MAILS_AT_ONCE);
    last = pack(writer, some, at, reading, turn).then(progress);
    last.catch(() => undefined);
    waiting.push(last);
  };
  try {
    for (let at = began.done; at < ids.length; at += MAILS_AT_ONCE) {
      startNext(at);
      if (waiting.length === BATCHES_AT_ONCE) await waiting.shift();
    }
    await Promise.all(waiting);
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
  } finally {
    await writer.flush();
  }
  setState({
    ...writer.place(),
    phase: writer.place().done >= ids.length ? 'done' : 'paused',
    perMinute: null,
  });
}

const placeOf = async (files: KeptExport): Promise<ExportPlace> => (await writeExport(files)).place();

/** Writes the archive into a file, or returns it as a Blob. */
async function saveTo(
  to: FileSystemFileHandle | null,
  found: KeptExport,
  extras: ExportExtras,
): Promise<Blob | null> {
  if (to === null) {
    // Each piece is a Blob of its own, so that the browser can store it wherever it has space.
    const parts: Blob[] = [];
    for await (const part of readExport(found, extras)) parts.push(new Blob([part]));
    return new Blob(parts, { type: 'application/zip' });
  }
  const writable = await to.createWritable();
  try {
    for await (const part of readExport(found, extras)) await writable.write(part);
    await writable.close();
  } catch (error) {
    await writable.abort().catch(() => undefined);
    throw error;
  }
  return null;
}

/** Returns the state of an export that is not running. */
const stateAt = ({ format, scope, beganAt, ids }: ExportPlan, place: ExportPlace): ExportState => ({
  format,
  scope,
  beganAt,
  phase: place.done >= ids.length ? 'done' : 'paused',
  total: ids.length,
  perMinute: null,
  ...place,
});

/** Creates the export job of this tab. */
export function createExportJob({ keys, reading, listAll, tell }: ExportDeps) {
  let files: KeptExport | null = null;
  let state: ExportState | null = null;
  let pausing = new AbortController();
  let running: Promise<void> | null = null;

  const setState = (change: Partial<ExportState>): void => {
    if (state === null) return;
    state = { ...state, ...change };
    tell(state);
  };
  const show = async (found: KeptExport): Promise<ExportState> => {
    const place = await placeOf(found);
    files = found;
    state = stateAt(found.plan, place);
    return state;
  };
  const look = (isAlone: boolean): Promise<KeptExport | null> =>
    findExport({ openKey: sealed => keys.openKey(sealed), before: files, isAlone });
  const forget = (): void => {
    [files, state] = [null, null];
    tell(null);
  };

  const runAlone = async (): Promise<void> => {
    pausing = new AbortController();
    const { signal } = pausing;
    setState({ phase: 'running' });
    let isGranted = false;
    try {
      await navigator.locks.request(writerLock, { signal }, async () => {
        isGranted = true;
        const found = await look(true);
        if (found === null) return forget();
        await show(found);
        setState({ phase: 'running' });
        await packAll(await writeExport(found), found.plan.ids, { reading, signal, setState });
      });
    } catch (error) {
      if (!isGranted) return setState({ phase: 'paused', perMinute: null });
      // Shows what is on the device now; if that cannot be read either, keeps the last known state.
      const place = files === null ? {} : await placeOf(files).catch(() => ({}));
      setState({ ...place, phase: isFull(error) ? 'full' : 'failed', perMinute: null });
    }
  };

  return {
    /** Returns the export that a closed tab left, or null. */
    find: async (): Promise<ExportState | null> => {
      const found = await navigator.locks.request(writerLock, { ifAvailable: true }, lock =>
        look(lock !== null),
      );
      return found === null ? null : show(found);
    },
    /** Starts an export, which `run` then does. Rejects while another tab works on one. */
    begin: async (
      plan: Omit<ExportPlan, 'ids' | 'beganAt'>,
      ids: readonly string[] | null,
    ): Promise<ExportState> => {
      const { key, sealed } = await keys.makeKey();
      const whole = { ...plan, ids: [...(ids ?? (await listAll()))], beganAt: new Date().toISOString() };
      return alone(async () => show(await beginExport(key, sealed, whole)));
    },
    /**
     * Works until all messages are packed or the export is paused; one tab at a time. Never
     * rejects: the state reports the outcome.
     */
    run: (): Promise<void> => {
      if (files === null) return Promise.resolve();
      running ??= runAlone().finally(() => {
        running = null;
      });
      return running;
    },
    pause: (): void => pausing.abort(),
    /**
     * Writes the archive into a file chosen by the owner, or returns it as a Blob. Rejects while
     * another tab uses it.
     */
    save: (to: FileSystemFileHandle | null, extras: ExportExtras): Promise<Blob | null> =>
      alone(async () => {
        const before = files;
        const found = await look(false);
        if (found === null || found !== before) {
          if (found === null) forget();
          else tell(await show(found));
          throw new OtherTabError();
        }
        return saveTo(to, found, extras);
      }, 'shared'),
    /** Ends the export and removes the packed data. Rejects while another tab uses it. */
    remove: async (): Promise<void> => {
      pausing.abort();
      await running;
      await alone(removeExport);
      [files, state] = [null, null];
    },
  };
}
export type ExportJob = ReturnType<typeof createExportJob>;
