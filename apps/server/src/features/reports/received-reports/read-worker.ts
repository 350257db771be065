/**
 * Entry point of a parser thread: receives one message, responds with the contents of its report,
 * and is terminated. Errors stay in the thread, because their texts might quote the message.
 */
import { parentPort } from 'node:worker_threads';
import { type Aggregate, readAggregate } from './aggregate.ts';
import { findComplaint } from './feedback.ts';
import { findReportText } from './report-file.ts';

export type ReadReport = {
  readonly aggregates: readonly Aggregate[];
  /** The feedback id of the message complained about. */
  readonly complaint: string | null;
  /** Whether there was a report that cannot be parsed. */
  readonly isBroken: boolean;
};

async function read(raw: Uint8Array): Promise<ReadReport> {
  try {
    const complaint = findComplaint(raw);
    const content = complaint === null ? await findReportText(raw) : null;
    return { aggregates: content === null ? [] : readAggregate(content), complaint, isBroken: false };
  } catch {
    return { aggregates: [], complaint: null, isBroken: true };
  }
}

parentPort?.once('message', async (raw: Uint8Array) => {
  parentPort?.postMessage(await read(raw));
});
