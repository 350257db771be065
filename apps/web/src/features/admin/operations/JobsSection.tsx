// The recurring jobs: how the last run of each went, and when the next one is.
import type { OperatedJob } from '@keyfold/contract';
import { t } from '../../../lib/language.ts';
import { formatCount } from '../../../lib/words.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Moment } from './Moment.tsx';
import { useJobs } from './queries.ts';
import { RowsTable } from './RowsTable.tsx';
import { Section } from './Section.tsx';

const tones = { never: 'neutral', running: 'info', done: 'success', failed: 'danger' } as const;

function Outcome({ job }: { job: OperatedJob }) {
  const words = { never: t('Not yet'), running: t('Running'), done: t('Done'), failed: t('Failed') };
  return <Badge tone={tones[job.outcome]}>{words[job.outcome]}</Badge>;
}

/** What a run did, as "sessions 3, devices 1"; nothing where there was nothing to do. */
function resultOf({ result, failure }: OperatedJob): string {
  if (failure !== null) return failure;
  const done = Object.entries(result).filter(([, count]) => count !== 0);
  return done.map(([name, count]) => `${name.replaceAll('_', ' ')} ${formatCount(count)}`).join(', ') || '–';
}

/** The section. */
export function JobsSection() {
  return (
    <Section title={t('Jobs')} failed={t('The jobs could not be loaded')} query={useJobs()}>
      {jobs =>
        jobs.length === 0 ? (
          <p className="text-control text-ink-2">{t('No machine has run jobs yet.')}</p>
        ) : (
          <RowsTable
            label={t('Jobs')}
            rows={jobs}
            idOf={job => job.name}
            columns={[
              { name: t('Name'), show: job => <span dir="ltr">{job.name}</span> },
              { name: t('State'), show: job => <Outcome job={job} /> },
              { name: t('Result'), show: job => <span dir="ltr">{resultOf(job)}</span> },
              { name: t('Last run'), show: job => <Moment at={job.last_run_at} /> },
              {
                name: t('Took'),
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
