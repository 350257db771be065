// Playwright traces of failed tests when KEYFOLD_E2E_TRACE is set: each step, the page before and
// after it, and the requests. They make a test take a quarter longer. Open one with `npx
// playwright-core show-trace FILE`.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { BrowserContext } from 'playwright-core';

const TRACES = path.resolve(import.meta.dirname, '../../../../.cache/traces');
const NAME_MAX = 60;
const isWanted = Boolean(process.env.KEYFOLD_E2E_TRACE);

const traced = new Set<BrowserContext>();

/** Records a browser profile until it is closed, if traces are enabled. */
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

/** Saves the traces of a failed test; resolves with their files. */
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

/** Discards the recording of a passed test. */
export async function dropTraces(): Promise<void> {
  await Promise.allSettled(
    [...traced].map(async ({ tracing }) => {
      await tracing.stopChunk();
      await tracing.startChunk();
    }),
  );
}
