// Manages the reading worker for the search or export worker: starts one when there is something to
// read, and terminates it once it is idle or has read so much that its heap has grown. A worker
// that is still busy then is terminated when its calls are answered, and the next one starts beside
// it. A worker that crashes is terminated, and the messages added to it are lost.
import { type IndexedMail, UID_BYTES } from '@keyfold/search/index';
import { READING_IDLE_MS } from '../../timing.ts';
import type { ExportedState } from './exported-mail.ts';

/** Maximum number of messages that one worker parses. */
const MAILS_PER_WORKER = 100;
/** Maximum number of messages that one worker hands over unparsed: these leave little garbage. */
const SOURCES_PER_WORKER = 5_000;

/** A message byte for byte, with its SHA-256 in hexadecimal; null when it does not open. */
export type MailSource = {
  readonly id: string;
  readonly state: ExportedState;
  readonly source: { readonly raw: Uint8Array; readonly sha256Hex: string } | null;
};

/**
 * Accepts a group of messages. With an empty group, only waits until messages would be accepted.
 */
export type TakeSources = (mails: readonly MailSource[]) => Promise<void>;

/** Interface of a reading worker (reading-worker.ts). */
export type Reader = {
  /**
   * Adds messages to the current segment; returns the arrival time of the oldest one, in seconds.
   * Messages in `newerThan` count as newer than the time given there.
   */
  readonly add: (ids: readonly string[], newerThan?: ReadonlyMap<string, number>) => Promise<number>;
  /** Returns the bytes of the segment of all added messages; null when it has none. */
  readonly finish: (uid: Uint8Array) => Promise<Uint8Array | null>;
  /** Returns the texts of messages. */
  readonly texts: (ids: readonly string[]) => Promise<IndexedMail[]>;
  /** Hands over messages byte for byte, in groups, in the order of the IDs. */
  readonly sources: (ids: readonly string[], take: TakeSources) => Promise<void>;
};

export type RunningReader = {
  readonly remote: Reader;
  /** Rejects when the worker cannot be loaded or dies: pending calls are then never answered. */
  readonly broken: Promise<never>;
  readonly end: () => void;
};

export type Reading = Omit<Reader, 'finish'> & {
  /** Returns the number of messages added since the last segment. */
  readonly added: () => number;
  readonly finish: () => Promise<Uint8Array | null>;
};

/** A started worker, its pending calls, and the amount it has read, in parsed messages. */
type HeldReader = RunningReader & { calls: number; read: number };

/** Reads messages through workers that it starts and terminates. */
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
    // Terminated after its last pending call.
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
