// Opens messages attached to other messages, in a separate worker: it sees no key, and a file
// crafted to exhaust resources takes down only this worker (containers-client.ts).
import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import * as Comlink from 'comlink';
import { serveWorker } from '../worker/serve-worker.ts';
import { ContainerError, type ContainerReason, openContainer, unpackEnvelope } from './containers.ts';
import type { AroundEnvelope, FromEnvelope } from './envelopes.ts';

type Answer<T> =
  | { readonly kind: 'opened'; readonly value: T }
  | { readonly kind: 'refused'; readonly reason: ContainerReason };

async function answer<T>(
  work: Promise<T>,
  contentsOf: (value: T) => readonly Uint8Array[],
): Promise<Answer<T>> {
  try {
    const value = await work;
    // Several contents may share one buffer of the same file.
    const buffers = new Set(contentsOf(value).map(({ buffer }) => buffer as ArrayBuffer));
    return Comlink.transfer({ kind: 'opened', value }, [...buffers]);
  } catch (error) {
    return { kind: 'refused', reason: error instanceof ContainerError ? error.reason : 'damaged' };
  }
}

const containersWorker = {
  open: async (file: Blob): Promise<Answer<ParsedMessage>> => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return answer(openContainer(bytes), ({ attachments }) => attachments.map(({ content }) => content));
  },
  unpack: async (file: Blob, outer: AroundEnvelope): Promise<Answer<FromEnvelope>> => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return answer(unpackEnvelope(bytes, outer), ({ files }) => files.map(({ content }) => content));
  },
};
export type ContainersWorker = typeof containersWorker;

serveWorker(containersWorker);
