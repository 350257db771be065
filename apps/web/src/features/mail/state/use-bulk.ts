// Changes the selection: a few rows at once; more than a hundred after a confirmation and with a
// progress display that can be stopped; a whole folder without loading its rows
// (docs/interface.md#selection).
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { showToast } from '../../../ui/toasts.ts';
import type { BulkJob } from './bulk-job.ts';

/** Loads the code that runs jobs. */
export const loadBulkRun = () => loadChunk('bulk', () => import('./bulk-run.ts'));

/** Runs bulk jobs. `question` is the job that waits for confirmation. */
export function useBulk() {
  const cache = useQueryClient();
  const [question, setQuestion] = useState<BulkJob | null>(null);
  return {
    question,
    ask: setQuestion,
    run: (job: BulkJob) => {
      setQuestion(null);
      loadBulkRun().then(
        ({ runBulk }) => runBulk(cache, job),
        (error: Error) => showToast({ tone: 'danger', text: error.message }),
      );
    },
    cancel: () => setQuestion(null),
  };
}
