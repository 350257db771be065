/**
 * Entry point of a sealing worker: takes one SealInput at a time and answers with the sealed
 * message or the bare fact of failure. The error itself stays here, because its text might quote
 * the message.
 */
import { parentPort } from 'node:worker_threads';
import { type SealedInbound, type SealInput, sealInbound } from './seal.ts';

export type SealAnswer = { readonly sealed: SealedInbound } | { readonly failed: true };

async function answer(input: SealInput): Promise<SealAnswer> {
  try {
    return { sealed: await sealInbound(input) };
  } catch {
    return { failed: true };
  }
}

/**
 * Returns the buffers that can be transferred instead of copied: those that a single view covers
 * completely.
 */
const buffersOf = (reply: SealAnswer): ArrayBuffer[] =>
  'failed' in reply
    ? []
    : [reply.sealed.body, ...reply.sealed.containers.map(({ bytes }) => bytes)]
        .filter(({ buffer, byteLength }) => buffer instanceof ArrayBuffer && buffer.byteLength === byteLength)
        .map(({ buffer }) => buffer as ArrayBuffer);

parentPort?.on('message', async (input: SealInput) => {
  const reply = await answer(input);
  parentPort?.postMessage(reply, buffersOf(reply));
});
