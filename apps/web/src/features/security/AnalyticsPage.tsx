// `/app/security/analytics` (docs/spec-map.md 6.08): what came from outside, what of it was flagged and why, and who could prove
// to be its sender. On a plan without it the server's refusal stands in its place.
import { CallError } from '@keyfold/contract/client';
import { ANALYTICS_DAYS_DEFAULT, ANALYTICS_DAYS_MAX, ANALYTICS_DAYS_MIN } from '@keyfold/contract/limits';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartColumn, Inbox } from 'lucide-react';
import { useState } from 'react';
import { formatDay } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';
import { securityClient } from '../../session/calls/clients/security.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Select } from '../../ui/Select.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { PlansLink } from '../billing/PlansLink.tsx';
import { ArrivalChart } from './ArrivalChart.tsx';
import { ShareBars } from './ShareBars.tsx';

const spans = [ANALYTICS_DAYS_MIN, ANALYTICS_DAYS_DEFAULT, ANALYTICS_DAYS_MAX] as const;

type NumberCardProps = {
  label: string;
  value: string;
};

function NumberCard({ label, value }: NumberCardProps) {
  return (
    <div className="rounded-card border border-line px-4 py-3">
      <dt className="text-control text-ink-2">{label}</dt>
      <dd className="text-number font-semibold tabular-nums">{value}</dd>
    </div>
  );
}

type Stats = NonNullable<ReturnType<typeof useSecurityStats>['data']>;

function Numbers({ data }: { data: Stats }) {
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 pane:grid-cols-4">
        <NumberCard label={t('Received')} value={formatCount(data.totals.received)} />
        <NumberCard label={t('Spam')} value={formatCount(data.totals.flagged)} />
        <NumberCard label={t('Sender proved')} value={formatCount(data.totals.proved)} />
        <NumberCard label={t('Sender disproved')} value={formatCount(data.totals.disproved)} />
      </dl>
      {data.counted_since !== null && (
        <p className="mt-2 text-meta text-ink-3">
          {t('Counted since {date}, in days of UTC.', {
            date: formatDay(new Date(`${data.counted_since}T12:00:00Z`)),
          })}
        </p>
      )}
      {data.totals.received === 0 ? (
        <EmptyState
          icon={<Inbox />}
          title={t('Nothing was counted in these days')}
          text={t('Mail from outside appears here from its arrival on.')}
        />
      ) : (
        <>
          <ArrivalChart days={data.days} totals={data.totals} />
          <ShareBars
            title={t('Why mail was flagged')}
            unit={t('Messages')}
            parts={[
              {
                label: t('Blocked sender'),
                text: t('The sender or the domain is on your list.'),
                count: data.totals.flagged_by_sender,
              },
              {
                label: t('Your rules'),
                text: t('A custom rule, or a rule for arriving mail.'),
                count: data.totals.flagged_by_rule,
              },
              {
                label: t('Spam filter'),
                text: t('Enough signs for the sensitivity that you chose.'),
                count: data.totals.flagged_by_score,
              },
            ]}
          />
          <ShareBars
            title={t('Who could prove to be the sender')}
            unit={t('Messages')}
            parts={[
              {
                label: t('Proved'),
                text: t('The sender’s domain vouches for the message (DMARC).'),
                count: data.totals.proved,
              },
              {
                label: t('Not to be proved'),
                text: t('The domain says nothing, or could not be asked.'),
                count: data.totals.unproved,
              },
              {
                label: t('Disproved'),
                text: t('The check failed: perhaps forged, perhaps forwarded.'),
                count: data.totals.disproved,
              },
            ]}
          />
        </>
      )}
    </>
  );
}

/** The page. */
export function AnalyticsPage() {
  const [days, setDays] = useState<number>(ANALYTICS_DAYS_DEFAULT);
  const { data, isPending, error, isFetching, refetch } = useSecurityStats(days);
  const isRefused = error instanceof CallError && error.status === 403;
  const options = spans.map(span => ({
    value: String(span),
    label: t('{count, plural, one {# day} other {# days}}', { count: span }),
  }));
  return (
    <SettingsPage
      title={t('Analytics')}
      text={t(
        'Mail from outside, counted when it arrives. Only numbers are kept: no sender, no subject, no message.',
      )}
      action={
        !isRefused && (
          <Select
            label={t('Period')}
            hideLabel
            options={options}
            value={String(days)}
            onChange={next => setDays(Number(next))}
          />
        )
      }
    >
      {isPending && (
        <div aria-busy className="flex flex-col gap-4">
          <Skeleton className="h-20 w-full" />
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-28 w-full" />
        </div>
      )}
      {error !== null && data === undefined && !isRefused && (
        <ErrorState
          title={t('The numbers could not be fetched')}
          text={callErrorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {isRefused && (
        <EmptyState
          icon={<ChartColumn />}
          title={callErrorText(error)}
          text={t('Your spam filter and your lists work on every plan. Nothing is counted on the free plan.')}
          action={<PlansLink />}
        />
      )}
      {data !== undefined && !isRefused && <Numbers data={data} />}
    </SettingsPage>
  );
}

/** The numbers of the last days; those of another period stand until they are there. A plan without them is refused with 403, which is no trouble that passes. */
const useSecurityStats = (days: number) =>
  useQuery({
    queryKey: ['security-stats', days],
    queryFn: async () => (await securityClient.stats({ days })).data,
    placeholderData: keepPreviousData,
  });
