// Runs once before all tests: creates the folder they share, and removes it at the end. See
// first-data.ts for its contents.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of this run, shared by all tests. */
    readonly storiesDir: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'kf-stories-'));
  project.provide('storiesDir', dir);
  return () => rm(dir, { recursive: true, force: true });
}
