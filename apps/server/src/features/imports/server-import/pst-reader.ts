/**
 * A PST that is being read by a process of its own: asks it for one thing after the other, and ends it when it does not
 * answer in time. Its death is told, and is no failure of ours.
 */
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImportItem } from '@keyfold/import/items';
import { PST_HEAP_MAX_MB, PST_ITEM_TIMEOUT_MS } from '../../../base/limits.ts';
import type { ReadingAnswer, ReadingRequest } from './pst-process.ts';

/** The process ended without an answer, or gave none in time. */
export class ReadingProcessDied extends Error {
  override readonly name = 'ReadingProcessDied';
}

/** The file cannot be read on; `code` says why. */
export class PstRefused extends Error {
  override readonly name = 'PstRefused';
  readonly code: string;

  constructor(code: string) {
    super('The file cannot be read on');
    this.code = code;
  }
}

export type PstReading = {
  /** The next thing, or null at the end. Throws PstRefused or ReadingProcessDied. */
  readonly next: () => Promise<ImportItem | null>;
  /** Things in the file, once something was read. */
  readonly total: () => number | null;
  /** Ends the process; what is being asked for rejects. */
  readonly close: () => void;
};

const ROOT = fileURLToPath(new URL('../../../../../../', import.meta.url));
/** Where the program and what it imports lie, under the root. */
const CODE = [
  'package.json',
  'apps/server/package.json',
  'apps/server/src/*',
  'apps/server/node_modules/*',
  'packages/*',
  'node_modules/*',
];

/**
 * What it is allowed: to read its code, and the one file that it is handed open. No writing, no processes, no threads, no
 * environment of others.
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
    // The last one is PST_DESCRIPTOR there.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', descriptor],
    // It needs nothing of ours: addresses of databases, keys.
    env: {},
  });

/** Starts to read a file that is open under this descriptor, and stays so until the reading ends. */
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
    settle?.(new ReadingProcessDied('A reading process ended'));
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
        reject(new ReadingProcessDied('A reading process ended'));
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
