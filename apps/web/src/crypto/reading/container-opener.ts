// Opens attached messages for the search index in a worker that is terminated when a file blocks or
// crashes it, so that a file crafted to exhaust resources costs the index the text of one message
// only.
import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import * as Comlink from 'comlink';
import { INDEXED_CONTAINER_MS } from '../../timing.ts';
import type { ContainersWorker } from '../mail/containers-worker.ts';
import workerUrl from '../mail/containers-worker.ts?worker&url';
import { startWorker } from '../worker/start-worker.ts';

/**
 * A file took too long or crashed the worker; other files of the same message could do the same.
 */
export class OpenerStopped extends Error {}

export type ContainerOpener = {
  readonly open: OpenContainer;
  /** Terminates the worker once it has answered; the next file starts another. */
  readonly rest: () => void;
};

export type OpenContainer = (bytes: Uint8Array) => Promise<ParsedMessage>;

function startOpener() {
  const worker = startWorker(workerUrl, 'containers');
  return { worker, remote: Comlink.wrap<ContainersWorker>(worker) };
}

/** Opens one file at a time: a file waiting for a busy worker would be blamed for the delay. */
export function createContainerOpener(): ContainerOpener {
  let running: ReturnType<typeof startOpener> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const end = (): void => {
    running?.worker.terminate();
    running = null;
  };
  const openNow = async (bytes: Uint8Array): Promise<ParsedMessage> => {
    running ??= startOpener();
    const asked = running;
    const { worker, remote } = asked;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stopped = new Promise<never>((_, reject) => {
      worker.onerror = () => reject(new OpenerStopped());
      const count = () => {
        timer = setTimeout(() => reject(new OpenerStopped()), INDEXED_CONTAINER_MS);
      };
      worker.came.then(count, reject);
    });
    try {
      const file = new Blob([bytes as BlobPart]);
      const answer = await Promise.race([remote.open(file), stopped]);
      if (answer.kind === 'opened') return answer.value as ParsedMessage;
      throw new Error(answer.reason);
    } catch (error) {
      if (error instanceof OpenerStopped && running === asked) end();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    open: bytes => {
      const opened = last.then(() => openNow(bytes));
      last = opened.catch(() => undefined);
      return opened;
    },
    rest: () => {
      last = last.then(end);
    },
  };
}
