/**
 * Reads a PST through a separate process: requests one item at a time and kills the process when it
 * does not respond in time. A death of the process is reported to the caller and is not a server
 * error.
 */
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImportItem } from '@keyfold/import/items';
import { PST_HEAP_MAX_MB, PST_ITEM_TIMEOUT_MS } from '../../../base/import-limits.ts';
import type { ReadingAnswer, ReadingRequest } from './pst-process.ts';

/** The process ended without a response, or did not respond in time. */
export class ReadingProcessDied extends Error {
  override readonly name = 'ReadingProcessDied';
}

/** The file cannot be read any further; `code` says why. */
export class PstRefused extends Error {
  override readonly name = 'PstRefused';
  readonly code: string;

  constructor(code: string) {
    super('The rest of the file cannot be read');
    this.code = code;
  }
}

export type PstReading = {
  /** Returns the next item, or null at the end. Throws PstRefused or ReadingProcessDied. */
  readonly next: () => Promise<ImportItem | null>;
  /** Returns the number of items in the file, known once an item was read. */
  readonly total: () => number | null;
  /** Ends the process; a pending request rejects. */
  readonly close: () => void;
};

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url));
/** Paths of the program and its imports, relative to the root. */
const CODE = [
  'package.json',
  'apps/server/package.json',
  'apps/server/src/*',
  'apps/server/node_modules/*',
  'packages/*',
  'node_modules/*',
];

/**
 * Returns the process's permissions: it may read its code and the one open file it is passed, but
 * may not write, start processes or threads, or see the server's environment.
 */
export const readingArgs = (): readonly string[] => [
  '--disable-warning=ExperimentalWarning',
  '--permission',
  ...CODE.map(name => `--allow-fs-read=${path.join(ROOT, name)}`),
  '--expose-gc',
  `--max-old-space-size=${PST_HEAP_MAX_MB}`,
];

const startProcess = (descriptor: number): ChildProcess =>
  fork(fileURLToPath(new URL('./pst-process.ts', import.meta.url)), [], {
    execArgv: [...readingArgs()],
    serialization: 'advanced',
    // This position becomes PST_DESCRIPTOR in the process.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', descriptor],
    // The process needs none of the server's variables, such as database URLs and keys.
    env: {},
  });

/**
 * Starts reading the file open under this descriptor, which must stay open until the reading ends.
 */
export function startReading(
  descriptor: number,
  request: Omit<Extract<ReadingRequest, { kind: 'open' }>, 'kind'>,
  timeoutMs = PST_ITEM_TIMEOUT_MS,
): PstReading {
  const child = startProcess(descriptor);
  let total: number | null = null;
  let settle: ((result: ReadingAnswer | ReadingProcessDied) => void) | null = null;
  let isDead = false;
  const die = () => {
    isDead = true;
    settle?.(new ReadingProcessDied('An import process exited'));
  };
  child.on('exit', die).on('error', die);
  child.on('message', (answer: ReadingAnswer) => {
    if (answer.kind === 'opened') total = answer.total;
    else settle?.(answer);
  });
  const tell = (message: ReadingRequest) => {
    if (child.connected) child.send(message, error => (error === null ? undefined : die()));
  };
  tell({ kind: 'open', ...request });

  const ask = () =>
    new Promise<ReadingAnswer>((resolve, reject) => {
      if (isDead) {
        reject(new ReadingProcessDied('An import process exited'));
        return;
      }
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      settle = result => {
        clearTimeout(timer);
        settle = null;
        if (result instanceof ReadingProcessDied) reject(result);
        else resolve(result);
      };
      tell({ kind: 'next' });
    });

  return {
    total: () => total,
    next: async () => {
      const answer = await ask();
      if (answer.kind === 'failed') throw new PstRefused(answer.code);
      return answer.kind === 'item' ? answer.item : null;
    },
    close: () => child.kill('SIGKILL'),
  };
}
