// Changes very large numbers of messages: fetches them page by page and sends changes in chunks,
// with visible progress and a stop button (docs/interface.md#selection). A whole folder is changed
// without loading its rows. Loaded at first use.

import { QUERY_COUNT_MAX } from '@keyfold/contract/limits';
import type { QueryClient } from '@tanstack/react-query';
import { t } from '../../../lib/language.ts';
import { mailClient } from '../../../session/calls/clients/mail.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { AlreadyInProgressError } from '../../../session/calls/operation-locks.ts';
import { showToast } from '../../../ui/toasts.ts';
import { type BulkJob, isBulkRunning, isBulkStopping, isPurge, showProgress } from './bulk-job.ts';
import { changeName, doneText } from './change-words.ts';
import { mailsOfConversations } from './conversation-mails.ts';
import { inverseSteps, type MailFlags, type Step, stepsOf } from './flag-changes.ts';
import type { MailQuery } from './folders.ts';
import type { MailRowData } from './mail-cache.ts';
import { refreshMail, sendSteps, showChange } from './mutations.ts';
import { offerUndo } from './undo-change.ts';

const CHUNK_MAX = 500;
const CHUNK_MIN = 50;
/**
 * A tenth at a time, so that the progress moves and a stop takes effect before everything is done.
 */
const chunkSizeOf = (total: number): number =>
  Math.min(CHUNK_MAX, Math.max(CHUNK_MIN, Math.ceil(total / 10)));

/** Chunks of messages, and the total number once it is known. */
type Chunks = AsyncIterable<{ readonly mails: readonly MailFlags[]; readonly total: number | null }>;

/** Yields every message of a query except those of excluded conversations. */
async function* mailsOfFolder(query: MailQuery, leftOut: ReadonlySet<string>): Chunks {
  let lastId: string | null = null;
  let kept: MailFlags[] = [];
  for (;;) {
    const start: MailQuery = lastId === null ? {} : { last_id: lastId };
    const { data, count } = await mailClient.query({
      ...query,
      ...start,
      count: QUERY_COUNT_MAX,
      view: 'summary',
    });
    lastId = data.at(-1)?.id ?? null;
    // Keeps only what a change needs: a hundred thousand full summaries would fill the memory.
    kept.push(...data.filter(mail => !leftOut.has(mail.thread_id)).map(slim));
    const isEnd = data.length < QUERY_COUNT_MAX || lastId === null;
    const chunkSize = chunkSizeOf(count);
    while (kept.length >= chunkSize || (isEnd && kept.length > 0)) {
      yield { mails: kept.slice(0, chunkSize), total: count };
      kept = kept.slice(chunkSize);
    }
    if (isEnd) return;
  }
}

const slim = ({
  id,
  read,
  starred,
  archived,
  flagged,
  deleted,
  draft,
  snoozed,
  snoozed_until,
  tags,
}: MailFlags): MailFlags => ({
  id,
  read,
  starred,
  archived,
  flagged,
  deleted,
  draft,
  snoozed,
  snoozed_until,
  tags,
});

/** Yields messages that are already known, in chunks. */
async function* knownMails(mails: readonly MailFlags[]): Chunks {
  const chunkSize = chunkSizeOf(mails.length);
  for (let start = 0; start < mails.length; start += chunkSize)
    yield { mails: mails.slice(start, start + chunkSize), total: mails.length };
}

type BulkResult = {
  /** The changed messages, in their state before the change. */
  readonly before: readonly MailFlags[];
  readonly isStopped: boolean;
  readonly error: unknown;
};

/**
 * Sends the steps of each chunk and calls `onChunk` for each completed one. The next chunk is
 * fetched before the current one is changed, because paging cannot continue after a removed
 * message. Never rejects: the result reports the outcome.
 */
async function runChunks(
  label: string,
  chunks: Chunks,
  stepsFor: (mails: readonly MailFlags[]) => readonly Step[],
  onChunk: (mails: readonly MailFlags[]) => void,
): Promise<BulkResult> {
  const before: MailFlags[] = [];
  showProgress({ label, done: 0, total: null, isStopping: false });
  try {
    const source = chunks[Symbol.asyncIterator]();
    let next = await source.next();
    while (next.done !== true) {
      if (isBulkStopping()) return { before, isStopped: true, error: null };
      const { mails, total } = next.value;
      showProgress({ label, done: before.length, total, isStopping: false });
      next = await source.next();
      // A stop skips the current chunk, even the last one.
      if (isBulkStopping()) return { before, isStopped: true, error: null };
      await sendSteps(stepsFor(mails));
      before.push(...mails);
      onChunk(mails);
      showProgress({ label, done: before.length, total, isStopping: isBulkStopping() });
    }
    return { before, isStopped: false, error: null };
  } catch (error) {
    return { before, isStopped: false, error };
  } finally {
    showProgress(null);
  }
}

async function* mailsOfRows(rows: readonly MailRowData[]): Chunks {
  yield* knownMails(await mailsOfConversations(rows));
}

/** Reports the outcome of a job, with an undo where that is possible. */
function finish(cache: QueryClient, job: BulkJob, { before, error, isStopped }: BulkResult): void {
  void refreshMail(cache);
  if (error !== null) showToast({ tone: 'danger', text: callErrorText(error) });
  if (before.length === 0 && !isStopped) return;
  const isWhole = error === null && !isStopped;
  const text = isWhole
    ? doneText(job.change, job.count, before)
    : t('Stopped after changing {count, plural, one {# message} other {# messages}}.', {
        count: before.length,
      });
  if (isPurge(job) || before.length === 0) showToast({ tone: 'success', text });
  else offerUndo(text, () => void takeBack(cache, job, before));
}

async function takeBack(cache: QueryClient, job: BulkJob, before: readonly MailFlags[]): Promise<void> {
  if (isBulkRunning()) return;
  const steps = (mails: readonly MailFlags[]) => inverseSteps(mails, job.change, isPurge(job));
  const { error } = await runChunks(t('Undo'), knownMails(before), steps, () => undefined);
  if (error !== null) showToast({ tone: 'danger', text: callErrorText(error) });
  void refreshMail(cache);
}

/** Runs a job and shows its outcome. Refuses while another one runs. Never rejects. */
export async function runBulk(cache: QueryClient, job: BulkJob): Promise<void> {
  const label = changeName(job.change);
  if (isBulkRunning()) {
    const refusal = new AlreadyInProgressError(t('{action} already in progress', { action: label }));
    showToast({ tone: 'danger', text: refusal.message });
    return;
  }
  const chunks = job.rows === null ? mailsOfFolder(job.query, job.leftOut) : mailsOfRows(job.rows);
  // A folder may contain drafts that were not loaded, as may a tag or the starred list.
  const steps = (mails: readonly MailFlags[]) => stepsOf(mails, job.change, isPurge(job));
  const onChunk = (mails: readonly MailFlags[]) =>
    showChange(
      cache,
      mails.map(({ id }) => id),
      job.change,
    );
  finish(cache, job, await runChunks(label, chunks, steps, onChunk));
}
