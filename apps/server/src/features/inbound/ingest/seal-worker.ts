/**
 * The body of a sealing thread: takes one SealInput at a time, answers with the sealed message or the bare fact that it
 * failed. The error itself stays here, because its text might quote the message.
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

/** The buffers that can change hands instead of being copied: those that one view covers whole. */
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
