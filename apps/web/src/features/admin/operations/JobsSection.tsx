// The recurring jobs: the result of each job's last run, and the time of the next one.
import type { OperatedJob } from '@keyfold/contract';
import { t } from '../../../lib/language.ts';
import { formatCount, joinParts } from '../../../lib/words.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Moment } from './Moment.tsx';
import { useJobs } from './queries.ts';
import { RowsTable } from './RowsTable.tsx';
import { Section } from './Section.tsx';

const tones = { never: 'neutral', running: 'info', done: 'success', failed: 'danger' } as const;

function Outcome({ job }: { job: OperatedJob }) {
  const words = { never: t('Not run yet'), running: t('Running'), done: t('Done'), failed: t('Failed') };
  return <Badge tone={tones[job.outcome]}>{words[job.outcome]}</Badge>;
}

/** Names of jobs and of their counts, which are the same in logs and metrics, so not translated. */
const Identifier = ({ children }: { children: string }) => (
  <code dir="ltr" lang="en" className="text-meta">
    {children}
  </code>
);

/**
 * Returns the result of a run, as in "sessions 3, devices 1"; empty when there was nothing to do.
 */
function resultOf({ result, failure }: OperatedJob): string {
  if (failure !== null) return failure;
  const done = Object.entries(result).filter(([, count]) => count !== 0);
  return joinParts(done.map(([name, count]) => `${name.replaceAll('_', ' ')} ${formatCount(count)}`)) || '–';
}

export function JobsSection() {
  return (
    <Section title={t('Jobs')} failed={t('Couldn’t load the jobs')} query={useJobs()}>
      {jobs =>
        jobs.length === 0 ? (
          <p className="text-control text-ink-2">{t('No jobs have run yet.')}</p>
        ) : (
          <RowsTable
            label={t('Jobs')}
            rows={jobs}
            idOf={job => job.name}
            columns={[
              { name: t('Name'), show: job => <Identifier>{job.name}</Identifier> },
              { name: t('State'), show: job => <Outcome job={job} /> },
              { name: t('Result'), show: job => <Identifier>{resultOf(job)}</Identifier> },
              { name: t('Last run'), show: job => <Moment at={job.last_run_at} /> },
              {
                name: t('Duration'),
                isNumber: true,
                show: job =>
                  job.took_ms === null ? '–' : t('{count} ms', { count: formatCount(job.took_ms) }),
              },
              { name: t('Next run'), show: job => <Moment at={job.next_run_at} /> },
            ]}
          />
        )
      }
    </Section>
  );
}
