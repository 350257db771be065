// Opens attached messages for the search index in a worker that is ended when a file keeps it for too long or breaks it, so
// that what a stranger made to exhaust it costs the index the words of one mail.
import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import * as Comlink from 'comlink';
import { INDEXED_CONTAINER_MS } from '../../timing.ts';
import type { ContainersWorker } from '../mail/containers-worker.ts';
import workerUrl from '../mail/containers-worker.ts?worker&url';
import { startWorker } from '../worker/start-worker.ts';

/** A file took too long or broke the worker; others of its sender would, too. */
export class OpenerStopped extends Error {}

export type ContainerOpener = {
  readonly open: OpenContainer;
  /** Ends the worker once it has answered; the next file starts another. */
  readonly rest: () => void;
};

export type OpenContainer = (bytes: Uint8Array) => Promise<ParsedMessage>;

function startOpener() {
  const worker = startWorker(workerUrl, 'containers');
  return { worker, remote: Comlink.wrap<ContainersWorker>(worker) };
}

/** One after the other: whoever waits for a busy worker would be taken for what keeps it busy. */
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
