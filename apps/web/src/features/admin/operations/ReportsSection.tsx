// What other servers reported about this one within a month: numbers by domain, and how many mails were complained of.
import type { ReportedDomain } from '@keyfold/contract';
import { formatDay } from '../../../lib/dates.ts';
import { t } from '../../../lib/language.ts';
import { formatCount } from '../../../lib/words.ts';
import { useReports } from './queries.ts';
import { RowsTable } from './RowsTable.tsx';
import { Section } from './Section.tsx';

const kindOf = ({ kind }: ReportedDomain): string =>
  kind === 'dmarc' ? t('Mail in its name') : t('Mail to it');

/** A day of UTC: its noon is the same day for almost everybody. */
const dayOf = ({ last_day }: ReportedDomain): string => formatDay(new Date(`${last_day}T12:00:00Z`));

/** The section. */
export function ReportsSection() {
  return (
    <Section
      title={t('Reports of other servers')}
      text={t(
        'Of the last 30 days: whether mail in the name of your domains was proved, and TLS on the way to them worked.',
      )}
      failed={t('The reports could not be loaded')}
      query={useReports()}
    >
      {({ domains, complaints }) => (
        <div className="flex flex-col gap-3">
          {domains.length === 0 ? (
            <p className="text-control text-ink-2">{t('No reports have come yet.')}</p>
          ) : (
            <RowsTable
              label={t('Reports of other servers')}
              rows={domains}
              idOf={row => `${row.kind} ${row.domain}`}
              columns={[
                { name: t('Domain'), show: row => <span dir="ltr">{row.domain}</span> },
                { name: t('About'), show: kindOf },
                { name: t('Reports'), isNumber: true, show: row => formatCount(row.reports) },
                { name: t('In order'), isNumber: true, show: row => formatCount(row.good) },
                { name: t('Not in order'), isNumber: true, show: row => formatCount(row.bad) },
                { name: t('Newest'), show: dayOf },
              ]}
            />
          )}
          <p className="text-control text-ink-2">
            {t(
              '{count, plural, =0 {Nobody complained of mail from here.} one {# mail from here was complained of.} other {# mails from here were complained of.}}',
              { count: complaints.total },
            )}
          </p>
        </div>
      )}
    </Section>
  );
}
