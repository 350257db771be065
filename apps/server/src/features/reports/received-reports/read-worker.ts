/**
 * The body of a reading thread: takes one mail, answers with what a report in it says, and is ended. Errors stay here, because
 * their texts might quote the mail.
 */
import { parentPort } from 'node:worker_threads';
import { type Aggregate, readAggregate } from './aggregate.ts';
import { findComplaint } from './feedback.ts';
import { findReportText } from './report-file.ts';

export type ReadReport = {
  readonly aggregates: readonly Aggregate[];
  /** The mark of a mail of ours that is complained of. */
  readonly complaint: string | null;
  /** Whether there was a report that cannot be read. */
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
