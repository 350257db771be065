// The search worker's hold of the reading worker: starts one when there is something to read, and ends it once it has read
// so much that its heap has grown, or has nothing to do. One that breaks is ended, and what was added to it is lost.
import type { Email } from '@keyfold/contract';
import { type IndexedMail, UID_BYTES } from '@keyfold/search/index';
import { readingIdleMs } from '../timing.ts';

/** Mails that one worker reads. */
const mailsPerWorker = 100;

/** Takes a mail byte for byte; null when it does not open. */
export type TakeSource = (mail: Omit<Email, 'body'>, raw: Uint8Array | null) => Promise<void>;

/** What a worker does (reading-worker.ts). */
export type Reader = {
  /** Takes mails into the segment that is being made; when the oldest of them arrived, seconds. */
  readonly add: (ids: readonly string[]) => Promise<number>;
  /** The bytes of the segment of all that was added; null when there are no mails in it. */
  readonly finish: (uid: Uint8Array) => Promise<Uint8Array | null>;
  /** The texts of mails. */
  readonly texts: (ids: readonly string[]) => Promise<IndexedMail[]>;
  /** Hands over mails byte for byte, one after the other, in the order of the ids. */
  readonly sources: (ids: readonly string[], take: TakeSource) => Promise<void>;
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

/** Reads mail through workers that it starts and ends. */
export function createReading(start: () => RunningReader): Reading {
  let running: RunningReader | null = null;
  let [calls, read, added] = [0, 0, 0];
  let idle: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    running?.end();
    running = null;
    [read, added] = [0, 0];
  };
  const begin = (): RunningReader => {
    const begun = start();
    begun.broken.catch(() => {
      if (running === begun) end();
    });
    return begun;
  };
  const ask = async <T>(mails: number, work: (remote: Reader) => Promise<T>): Promise<T> => {
    clearTimeout(idle);
    running ??= begin();
    const { remote, broken } = running;
    calls++;
    read += mails;
    try {
      return await Promise.race([work(remote), broken]);
    } finally {
      calls--;
      if (calls === 0 && added === 0) {
        if (read >= mailsPerWorker) end();
        else idle = setTimeout(end, readingIdleMs);
      }
    }
  };
  return {
    add: ids => {
      added += ids.length;
      return ask(ids.length, remote => remote.add(ids));
    },
    added: () => added,
    finish: async () => {
      if (added === 0) return null;
      added = 0;
      return ask(0, remote => remote.finish(crypto.getRandomValues(new Uint8Array(UID_BYTES))));
    },
    texts: ids => ask(ids.length, remote => remote.texts(ids)),
    sources: (ids, take) => ask(ids.length, remote => remote.sources(ids, take)),
  };
}
