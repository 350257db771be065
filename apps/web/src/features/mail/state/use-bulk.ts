// Changes of what is selected: a few rows at once, more than a hundred after a question and in a run that can be watched
// and stopped; a whole folder without loading its rows (docs/interface.md#selection).
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../lib/language.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { AlreadyInProgressError } from '../../../session/calls/operation-locks.ts';
import { showToast } from '../../../ui/toasts.ts';
import { type Chunks, isBulkRunning, knownMails, mailsOfFolder, runBulk } from './bulk-run.ts';
import { mailsOfConversations } from './conversation-mails.ts';
import type { MailQuery } from './folders.ts';
import type { MailRowData } from './mail-cache.ts';
import { changeName, doneText } from './mark-words.ts';
import { inverseSteps, isGoneWhenDeleted, type Mark, type Marked, stepsOf } from './marks.ts';
import { refreshMail, showMark } from './mutations.ts';
import { offerUndo } from './undo.ts';

/** From here on a question is asked first. */
export const ASK_FROM = 100;

/** What a run is about. */
export type BulkJob = {
  readonly mark: Mark;
  /** Conversations, as the selection counts them. */
  readonly count: number;
  /** Rows to change; null for all of `query`. */
  readonly rows: readonly MailRowData[] | null;
  /** The list, single mails. */
  readonly query: MailQuery;
  /** Conversations that were taken out of the whole folder again. */
  readonly leftOut: ReadonlySet<string>;
};

/** Whether a job removes mail for good. */
export const isPurge = ({ mark, rows, query }: BulkJob): boolean =>
  mark.kind === 'delete' &&
  (rows === null
    ? query.deleted === true || query.draft === true
    : rows.some(row => isGoneWhenDeleted(row.mail)));

async function* mailsOfRows(rows: readonly MailRowData[]): Chunks {
  yield* knownMails(await mailsOfConversations(rows));
}

/** Runs jobs; `question` is the one that waits for an answer. */
export function useBulk() {
  const cache = useQueryClient();
  const [question, setQuestion] = useState<BulkJob | null>(null);

  const finish = (job: BulkJob, result: Awaited<ReturnType<typeof runBulk>>) => {
    void refreshMail(cache);
    const { before, error, isStopped } = result;
    if (error !== null) showToast({ tone: 'danger', text: callErrorText(error) });
    if (before.length === 0 && !isStopped) return;
    const isWhole = error === null && !isStopped;
    const text = isWhole
      ? doneText(job.mark, job.count, before)
      : t('Stopped. {count, plural, one {# message was} other {# messages were}} changed.', {
          count: before.length,
        });
    if (isPurge(job) || before.length === 0) showToast({ tone: 'success', text });
    else offerUndo(text, () => void takeBack(job, before));
  };
  const takeBack = async (job: BulkJob, before: readonly Marked[]) => {
    if (isBulkRunning()) return;
    const steps = (mails: readonly Marked[]) => inverseSteps(mails, job.mark, isPurge(job));
    const { error } = await runBulk(t('Undo'), knownMails(before), steps, () => undefined);
    if (error !== null) showToast({ tone: 'danger', text: callErrorText(error) });
    void refreshMail(cache);
  };
  const run = async (job: BulkJob) => {
    setQuestion(null);
    const label = changeName(job.mark);
    if (isBulkRunning()) {
      const refusal = new AlreadyInProgressError(t('{action} already in progress', { action: label }));
      showToast({ tone: 'danger', text: refusal.message });
      return;
    }
    const chunks = job.rows === null ? mailsOfFolder(job.query, job.leftOut) : mailsOfRows(job.rows);
    // A folder may hold drafts that nobody looked at, as a tag or the starred do.
    const steps = (mails: readonly Marked[]) => stepsOf(mails, job.mark, isPurge(job));
    const onChunk = (mails: readonly Marked[]) =>
      showMark(
        cache,
        mails.map(({ id }) => id),
        job.mark,
      );
    finish(job, await runBulk(label, chunks, steps, onChunk));
  };
  return {
    question,
    ask: setQuestion,
    run: (job: BulkJob) => void run(job),
    cancel: () => setQuestion(null),
  };
}
