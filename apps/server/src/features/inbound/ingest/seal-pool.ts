/**
 * Chooses where messages are sealed: small ones on the main thread, whose cryptography runs
 * off-thread anyway, large ones in a few worker threads, so that parsing a 50 MB message blocks
 * nothing else. A message that crashes or stalls its worker is sealed in one piece without parsing:
 * content never makes a delivery fail.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type SealedInbound, type SealInput, sealInbound } from './seal.ts';
import type { SealAnswer } from './seal-worker.ts';

/** Messages up to this size are parsed on the main thread, which takes some milliseconds. */
const INLINE_MAX_BYTES = 128 * 1024;
/** A worker that has not answered by then is terminated. */
const JOB_TIMEOUT_MS = 60_000;
/** How long an idle worker is kept for the next large message. */
const IDLE_MS = 30_000;
/** Heap limit of a worker; the message's own bytes are outside the heap. */
const HEAP_MAX_MB = 512;

export type SealPool = {
  /** Seals a message. Rejects only when a recipient's keys are unusable. */
  readonly seal: (input: Omit<SealInput, 'isExamined'>) => Promise<SealedInbound>;
  /** Terminates the workers and rejects messages that are still being sealed. */
  readonly close: () => Promise<void>;
};

type Job = {
  readonly input: SealInput;
  readonly resolve: (sealed: SealedInbound) => void;
  readonly reject: (reason: Error) => void;
};

class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure';
}

/** Creates a pool of at most `threads` worker threads, started on demand. */
export function createSealPool(threads = Math.max(1, Math.min(4, availableParallelism() - 1))): SealPool {
  const waiting: Job[] = [];
  const idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = [];
  const alive = new Set<Worker>();
  let isClosed = false;

  const start = (): Worker => {
    const worker = new Worker(new URL('./seal-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
      stdout: true,
      stderr: true,
    });
    worker.unref();
    alive.add(worker);
    worker.once('exit', () => alive.delete(worker));
    // An error after a job has finished has no listener to report to; without this handler it would
    // end the process.
    worker.on('error', () => undefined);
    return worker;
  };

  const rest = (worker: Worker): void => {
    const timer = setTimeout(() => {
      const at = idle.findIndex(one => one.worker === worker);
      if (at >= 0) idle.splice(at, 1);
      worker.terminate().catch(() => undefined);
    }, IDLE_MS);
    timer.unref();
    idle.push({ worker, timer });
  };

  const run = (worker: Worker, job: Job): void => {
    const timer = setTimeout(() => end(new WorkerFailure('A sealing thread stalled')), JOB_TIMEOUT_MS);
    const onExit = () => end(new WorkerFailure('A sealing thread exited'));
    const onMessage = (reply: SealAnswer) => {
      settle();
      if ('sealed' in reply) job.resolve(reply.sealed);
      else job.reject(new WorkerFailure('A sealing thread failed'));
      if (!isClosed) rest(worker);
      next();
    };
    const settle = () => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onExit).off('exit', onExit);
    };
    const end = (failure: Error) => {
      settle();
      alive.delete(worker);
      worker.terminate().catch(() => undefined);
      job.reject(failure);
      next();
    };
    worker.on('message', onMessage).once('error', onExit).once('exit', onExit);
    worker.postMessage(job.input);
  };

  const next = (): void => {
    const [job] = waiting;
    if (job === undefined) return;
    const rested = idle.pop();
    if (rested === undefined && alive.size >= threads) return;
    waiting.shift();
    if (rested !== undefined) clearTimeout(rested.timer);
    run(rested?.worker ?? start(), job);
  };

  const sealInThread = (input: SealInput): Promise<SealedInbound> => {
    if (isClosed) return Promise.reject(new WorkerFailure('The sealing threads have stopped'));
    return new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      next();
    });
  };

  return {
    seal: async input => {
      const examined = { ...input, isExamined: true };
      try {
        return await (input.raw.length <= INLINE_MAX_BYTES ? sealInbound(examined) : sealInThread(examined));
      } catch (error) {
        if (isClosed) throw error;
        return sealInbound({ ...input, isExamined: false });
      }
    },
    close: async () => {
      isClosed = true;
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      for (const job of waiting.splice(0)) job.reject(new WorkerFailure('The sealing threads have stopped'));
      await Promise.all([...alive].map(worker => worker.terminate()));
    },
  };
}
