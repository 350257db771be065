// Fetches remote pictures through the server, which hides the reader from the sender, and keeps
// them as blob: URLs while the message is shown. Nothing is fetched for a message unless the reader
// allowed it.
import { useCallback, useEffect, useRef, useState } from 'react';
import { remoteContentClient } from '../../../../session/calls/clients/remote-content.ts';
import { sniffPicture } from '../../attachments/preview-kind.ts';
import type { MeasuredPictures } from '../../frame/shown-pictures.ts';

/** Pictures of one message: remote URL to blob: URL. URLs without a picture are missing. */
export type RemotePictures = ReadonlyMap<string, string>;

export type RemoteProgress = {
  readonly pictures: RemotePictures;
  readonly done: number;
  readonly total: number;
  /** Number of URLs that only hidden elements reference: trackers. */
  readonly hidden: number;
};

const AT_ONCE = 6;

const HEAD_BYTES = 32;

/**
 * The server sends no content type, so that its response can never be treated as a document. The
 * first bytes determine the type.
 */
async function fetchPicture(url: string, signal: AbortSignal): Promise<string | null> {
  const answer = (await remoteContentClient.image({ url }, { signal })) as { readonly bytes?: Blob };
  const { bytes } = answer;
  if (bytes === undefined) return null;
  const type = sniffPicture(new Uint8Array(await bytes.slice(0, HEAD_BYTES).arrayBuffer()));
  return type === null ? null : URL.createObjectURL(bytes.slice(0, bytes.size, type));
}

type Job = {
  /** Number of pictures of the job. A long message references more once it is shown in full. */
  readonly count: number;
  readonly control: AbortController;
  readonly pictures: Map<string, string>;
};

/** Pictures of a message that may show them. */
export type Wanted = {
  /** Set once they are known. */
  readonly urls: readonly string[];
  /** Returns which of them the message displays; no others are fetched. */
  readonly measure: () => Promise<MeasuredPictures>;
};

/** Messages that may show their pictures. */
export type WantedPictures = ReadonlyMap<string, Wanted>;

/**
 * Returns the fetched pictures by message id, and `want`, which sets the messages whose pictures
 * are wanted. The pictures of all other messages are released.
 */
export function useRemotePictures(): readonly [
  ReadonlyMap<string, RemoteProgress>,
  (wanted: WantedPictures) => void,
] {
  const [progress, setProgress] = useState<ReadonlyMap<string, RemoteProgress>>(new Map());
  const jobs = useRef(new Map<string, Job>());
  const want = useCallback((wanted: WantedPictures) => {
    for (const [id, job] of jobs.current) {
      if (wanted.has(id)) continue;
      endJob(job);
      jobs.current.delete(id);
      setProgress(before => new Map([...before].filter(([other]) => other !== id)));
    }
    for (const [id, one] of wanted) {
      const before = jobs.current.get(id);
      if (one.urls.length <= (before?.count ?? 0)) continue;
      before?.control.abort();
      const job: Job = {
        count: one.urls.length,
        control: new AbortController(),
        pictures: before?.pictures ?? new Map(),
      };
      jobs.current.set(id, job);
      void runJob(job, one, now => setProgress(before => new Map(before).set(id, now)));
    }
  }, []);
  useEffect(() => {
    const running = jobs.current;
    return () => {
      for (const job of running.values()) endJob(job);
      running.clear();
    };
  }, []);
  return [progress, want];
}

function endJob({ control, pictures }: Job): void {
  control.abort();
  for (const url of pictures.values()) URL.revokeObjectURL(url);
}

/**
 * Fetches a few pictures at a time. Calls `tell` at the start, the middle and the end only, because
 * each call renders the text again.
 */
async function runJob(job: Job, { measure }: Wanted, tell: (now: RemoteProgress) => void): Promise<void> {
  const { signal } = job.control;
  // If measuring fails, no picture is shown.
  const { shown, hidden } = await measure().catch(() => ({ shown: [], hidden: [] }));
  if (signal.aborted) return;
  const queue = shown.filter(url => !job.pictures.has(url));
  const total = shown.length;
  let done = total - queue.length;
  const now = () => tell({ pictures: new Map(job.pictures), done, total, hidden: hidden.length });
  const work = async () => {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      const picture = await fetchPicture(url, signal).catch(() => null);
      if (signal.aborted) {
        if (picture !== null) URL.revokeObjectURL(picture);
        return;
      }
      if (picture !== null) job.pictures.set(url, picture);
      done += 1;
      if (done === total || done === Math.ceil(total / 2)) now();
    }
  };
  now();
  for (let worker = 0; worker < Math.min(AT_ONCE, total); worker += 1) void work();
}
