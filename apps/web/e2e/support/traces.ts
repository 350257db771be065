// Playwright's traces of a story that failed, where KEYFOLD_E2E_TRACE is set: each step, what the page showed before and after
// it, and the requests. They cost a story a quarter more. Open one with `npx playwright-core show-trace FILE`.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { BrowserContext } from 'playwright-core';

const TRACES = path.resolve(import.meta.dirname, '../../../../.cache/traces');
const NAME_MAX = 60;
const isWanted = Boolean(process.env.KEYFOLD_E2E_TRACE);

const traced = new Set<BrowserContext>();

/** Records what happens in a browser profile until it is closed, where traces are wanted. */
export async function traceContext(context: BrowserContext): Promise<void> {
  if (!isWanted) return;
  await context.tracing.start({ snapshots: true });
  await context.tracing.startChunk();
  traced.add(context);
  context.on('close', () => traced.delete(context));
}

const fileNameOf = (test: string): string =>
  test
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, NAME_MAX);

/** Keeps the traces of a test that failed; resolves with their files. */
export async function keepTraces(test: string): Promise<readonly string[]> {
  if (!isWanted) return [];
  await mkdir(TRACES, { recursive: true });
  const kept = [...traced].map(async (context, index) => {
    const file = path.join(TRACES, `${fileNameOf(test)}-${index + 1}.zip`);
    await context.tracing.stopChunk({ path: file });
    await context.tracing.startChunk();
    return file;
  });
  const ended = await Promise.allSettled(kept);
  return ended.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
}

/** Forgets what was recorded during a test that passed. */
export async function dropTraces(): Promise<void> {
  await Promise.allSettled(
    [...traced].map(async ({ tracing }) => {
      await tracing.stopChunk();
      await tracing.startChunk();
    }),
  );
}
