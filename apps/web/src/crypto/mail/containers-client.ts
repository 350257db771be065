// Opens attached messages in a worker. Each file gets its own worker, which is terminated
// afterwards.
import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import * as Comlink from 'comlink';
import { CONTAINER_TIMEOUT_MS } from '../../timing.ts';
import { startWorker } from '../worker/start-worker.ts';
import type { ContainerReason } from './containers.ts';
import type { ContainersWorker } from './containers-worker.ts';
import workerUrl from './containers-worker.ts?worker&url';
import type { AroundEnvelope, FromEnvelope } from './envelopes.ts';

/**
 * Reason why no message was opened; `failed` says nothing about the file: the worker's script could
 * not be loaded.
 */
export type OpenReason = ContainerReason | 'failed';

export type OpenedContainer<T> =
  | { readonly kind: 'opened'; readonly value: T }
  | { readonly kind: 'refused'; readonly reason: OpenReason };

async function ask<T>(
  work: (worker: Comlink.Remote<ContainersWorker>) => Promise<OpenedContainer<T>>,
): Promise<OpenedContainer<T>> {
  const worker = startWorker(workerUrl, 'containers');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refused = (reason: OpenReason): OpenedContainer<T> => ({ kind: 'refused', reason });
  const ended = new Promise<OpenedContainer<T>>(resolve => {
    worker.onerror = () => resolve(refused('failed'));
    // Loading the script may take any time; opening a file has a time limit.
    worker.came.then(
      () => {
        timer = setTimeout(() => resolve(refused('damaged')), CONTAINER_TIMEOUT_MS);
      },
      () => resolve(refused('failed')),
    );
  });
  try {
    return await Promise.race([work(Comlink.wrap<ContainersWorker>(worker)), ended]);
  } catch {
    return refused('failed');
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}

/** Opens a file as a message. */
export const openContainerFile = (file: Blob): Promise<OpenedContainer<ParsedMessage>> =>
  ask(worker => worker.open(file) as Promise<OpenedContainer<ParsedMessage>>);

/** Returns the contents of an Outlook envelope. */
export const unpackEnvelopeFile = (
  file: Blob,
  outer: AroundEnvelope,
): Promise<OpenedContainer<FromEnvelope>> =>
  ask(worker => worker.unpack(file, outer) as Promise<OpenedContainer<FromEnvelope>>);
