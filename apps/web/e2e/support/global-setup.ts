// Runs once before all stories: a folder for what they share, and its removal. See first-data.ts for what comes into it.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run, for all stories. */
    readonly storiesDir: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'kf-stories-'));
  project.provide('storiesDir', dir);
  return () => rm(dir, { recursive: true, force: true });
}
