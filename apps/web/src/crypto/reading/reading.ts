// The hold that the search worker, or that of an export, has of the reading worker: starts one when there is something to
// read, and ends it once it has read so much that its heap has grown, or has nothing to do. Who is busy then is ended when
// its calls are answered, and the next one starts beside it. One that breaks is ended, and what was added to it is lost.
import { type IndexedMail, UID_BYTES } from '@keyfold/search/index';
import { READING_IDLE_MS } from '../../timing.ts';
import type { ExportedState } from './exported-mail.ts';

/** Mails that one worker reads. */
const MAILS_PER_WORKER = 100;
/** Mails that one worker hands over as they are: what is not parsed leaves little behind. */
const SOURCES_PER_WORKER = 5_000;

/** A mail byte for byte, and the SHA-256 of that in hexadecimal; null when it does not open. */
export type MailSource = {
  readonly id: string;
  readonly state: ExportedState;
  readonly source: { readonly raw: Uint8Array; readonly sha256Hex: string } | null;
};

/** Takes some mails. Of none at all it only waits until mails would be taken. */
export type TakeSources = (mails: readonly MailSource[]) => Promise<void>;

/** What a worker does (reading-worker.ts). */
export type Reader = {
  /**
   * Takes mails into the segment that is being made; when the oldest of them arrived, seconds. Those that `newerThan` names
   * count as newer than that.
   */
  readonly add: (ids: readonly string[], newerThan?: ReadonlyMap<string, number>) => Promise<number>;
  /** The bytes of the segment of all that was added; null when there are no mails in it. */
  readonly finish: (uid: Uint8Array) => Promise<Uint8Array | null>;
  /** The texts of mails. */
  readonly texts: (ids: readonly string[]) => Promise<IndexedMail[]>;
  /** Hands over mails byte for byte, some at a time, in the order of the ids. */
  readonly sources: (ids: readonly string[], take: TakeSources) => Promise<void>;
};

export type RunningReader = {
  readonly remote: Reader;
  /** Rejects when the worker cannot be loaded or dies: what it was asked is never answered then. */
  readonly broken: Promise<never>;
  readonly end: () => void;
};

export type Reading = Omit<Reader, 'finish'> & {
  /** Mails that were added since the last segment. */
  readonly added: () => number;
  readonly finish: () => Promise<Uint8Array | null>;
};

/** A worker that was started, calls that it has not answered, and what it has read, in mails that are parsed. */
type HeldReader = RunningReader & { calls: number; read: number };

/** Reads mail through workers that it starts and ends. */
export function createReading(start: () => RunningReader): Reading {
  let running: HeldReader | null = null;
  let added = 0;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    running?.end();
    running = null;
    added = 0;
  };
  const begin = (): HeldReader => {
    const started = start();
    let isEnded = false;
    const endOnce = (): void => {
      if (!isEnded) started.end();
      isEnded = true;
    };
    const begun = { ...started, end: endOnce, calls: 0, read: 0 };
    begun.broken.catch(() => {
      if (running === begun) end();
    });
    return begun;
  };
  const isSpent = ({ read }: HeldReader): boolean => read >= MAILS_PER_WORKER && added === 0;
  const ask = async <T>(mails: number, work: (remote: Reader) => Promise<T>): Promise<T> => {
    clearTimeout(idle);
    // It ends with the last of its calls.
    if (running !== null && isSpent(running)) running = null;
    running ??= begin();
    const asked = running;
    asked.calls++;
    asked.read += mails;
    try {
      return await Promise.race([work(asked.remote), asked.broken]);
    } finally {
      asked.calls--;
      if (asked !== running) {
        if (asked.calls === 0) asked.end();
      } else if (asked.calls === 0 && added === 0) {
        if (isSpent(asked)) end();
        else idle = setTimeout(end, READING_IDLE_MS);
      }
    }
  };
  return {
    add: (ids, newerThan) => {
      const asked = ask(ids.length, remote => remote.add(ids, newerThan));
      added += ids.length;
      return asked;
    },
    added: () => added,
    finish: async () => {
      if (added === 0) return null;
      const finished = ask(0, remote => remote.finish(crypto.getRandomValues(new Uint8Array(UID_BYTES))));
      added = 0;
      return finished;
    },
    texts: ids => ask(ids.length, remote => remote.texts(ids)),
    sources: (ids, take) =>
      ask((ids.length * MAILS_PER_WORKER) / SOURCES_PER_WORKER, remote => remote.sources(ids, take)),
  };
}
