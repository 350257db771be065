// Other servers' reports about this server within a month: numbers by domain, and the number of
// messages with complaints.
import type { ReportedDomain } from '@keyfold/contract';
import { formatDay } from '../../../lib/dates.ts';
import { t } from '../../../lib/language.ts';
import { formatCount } from '../../../lib/words.ts';
import { useReports } from './queries.ts';
import { RowsTable } from './RowsTable.tsx';
import { Section } from './Section.tsx';

const kindOf = ({ kind }: ReportedDomain): string =>
  kind === 'dmarc' ? t('Sender authentication (DMARC)') : t('Encrypted delivery (TLS)');

/** Formats a UTC day: its noon falls on the same day in almost every time zone. */
const dayOf = ({ last_day }: ReportedDomain): string => formatDay(new Date(`${last_day}T12:00:00Z`));

export function ReportsSection() {
  return (
    <Section
      title={t('Reports from other servers')}
      text={t(
        'Results of the last 30 days: whether mail sent in the name of your domains passed DMARC, and whether TLS connections to them succeeded.',
      )}
      failed={t('Couldn’t load the reports')}
      query={useReports()}
    >
      {({ domains, complaints }) => (
        <div className="flex flex-col gap-3">
          {domains.length === 0 ? (
            <p className="text-control text-ink-2">{t('No reports yet.')}</p>
          ) : (
            <RowsTable
              label={t('Reports from other servers')}
              rows={domains}
              idOf={row => `${row.kind} ${row.domain}`}
              columns={[
                { name: t('Domain'), show: row => <span dir="ltr">{row.domain}</span> },
                { name: t('Report type'), show: kindOf },
                { name: t('Reports'), isNumber: true, show: row => formatCount(row.reports) },
                { name: t('Passed'), isNumber: true, show: row => formatCount(row.good) },
                { name: t('Not passed'), isNumber: true, show: row => formatCount(row.bad) },
                { name: t('Latest'), show: dayOf },
              ]}
            />
          )}
          <p className="text-control text-ink-2">
            {t(
              '{count, plural, =0 {No spam complaints about mail from this service in the last 30 days.} one {# spam complaint about mail from this service in the last 30 days.} other {# spam complaints about mail from this service in the last 30 days.}}',
              { count: complaints.total },
            )}
          </p>
        </div>
      )}
    </Section>
  );
}
