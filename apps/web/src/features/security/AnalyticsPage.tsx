// `/app/security/analytics` (docs/spec-map.md 6.08): external mail received, how much of it was
// flagged and why, and how much had an authenticated sender. On a plan without analytics, the page
// shows the server's refusal.
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
        <NumberCard label={t('Sender authenticated')} value={formatCount(data.totals.proved)} />
        <NumberCard label={t('Authentication failed')} value={formatCount(data.totals.disproved)} />
      </dl>
      {data.counted_since !== null && (
        <p className="mt-2 text-meta text-ink-3">
          {t('Counted since {date}. Days are in UTC.', {
            date: formatDay(new Date(`${data.counted_since}T12:00:00Z`)),
          })}
        </p>
      )}
      {data.totals.received === 0 ? (
        <EmptyState
          icon={<Inbox />}
          title={t('No data for this period')}
          text={t('Mail from other providers is counted as it arrives.')}
        />
      ) : (
        <>
          <ArrivalChart days={data.days} totals={data.totals} />
          <ShareBars
            title={t('Why messages were marked as spam')}
            unit={t('Messages')}
            parts={[
              {
                label: t('Blocked sender'),
                text: t('The sender or its domain is on your list of blocked senders.'),
                count: data.totals.flagged_by_sender,
              },
              {
                label: t('Your rules'),
                text: t('A custom spam rule, or one of your rules for incoming mail.'),
                count: data.totals.flagged_by_rule,
              },
              {
                label: t('Spam filter'),
                text: t('The spam filter recognized the message as spam.'),
                count: data.totals.flagged_by_score,
              },
            ]}
          />
          <ShareBars
            title={t('Sender authentication')}
            unit={t('Messages')}
            parts={[
              {
                label: t('Sender authenticated'),
                text: t('DMARC confirms that the message came from the sender’s domain.'),
                count: data.totals.proved,
              },
              {
                label: t('Not authenticated'),
                text: t('The domain has no DMARC policy, or the policy couldn’t be checked.'),
                count: data.totals.unproved,
              },
              {
                label: t('Authentication failed'),
                text: t('The DMARC check failed. The message may be forged, or it was forwarded.'),
                count: data.totals.disproved,
              },
            ]}
          />
        </>
      )}
    </>
  );
}

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
        'Mail from other providers, counted as it arrives. Only numbers are stored, never senders, subjects or content.',
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
          title={t('Couldn’t load analytics')}
          text={callErrorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {isRefused && (
        <EmptyState
          icon={<ChartColumn />}
          title={callErrorText(error)}
          text={t(
            'The spam filter and your sender lists work on every plan. On the Free plan, nothing is counted.',
          )}
          action={<PlansLink />}
        />
      )}
      {data !== undefined && !isRefused && <Numbers data={data} />}
    </SettingsPage>
  );
}

/**
 * Provides the numbers of the last `days` days; those of the previous period stay until they
 * arrive. On a plan without analytics the server responds with 403, which is not a temporary
 * failure.
 */
const useSecurityStats = (days: number) =>
  useQuery({
    queryKey: ['security-stats', days],
    queryFn: async () => (await securityClient.stats({ days })).data,
    placeholderData: keepPreviousData,
  });
