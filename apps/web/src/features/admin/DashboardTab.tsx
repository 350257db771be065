// The statistics of the service (docs/spec-map.md 2, 3): nine cards and three panels. An
// unavailable number is shown as a dash.
import type { AdminStats } from '@keyfold/contract';
import type { ReactNode } from 'react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { formatCount } from '../../lib/words.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StatCard } from '../../ui/StatCard.tsx';
import { formatAverage, formatPercent, shareOf } from './number-words.ts';
import { PlanShares } from './PlanShares.tsx';
import { useStats } from './queries.ts';
import { churnRateOf } from './stats-numbers.ts';

/** Higher values are shown in the danger color. docs/spec-map.md 9.18. */
const CHURN_ALARM_PERCENT = 5;

type Row = {
  label: string;
  value: (stats: AdminStats) => string;
  isAlarming?: (stats: AdminStats) => boolean;
};

const isChurnHigh = (stats: AdminStats): boolean => churnRateOf(stats) > CHURN_ALARM_PERCENT;

const growthOf = ({ new_users_this_month, total_users }: AdminStats): number =>
  shareOf(new_users_this_month, total_users - new_users_this_month);

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-64 flex-1 rounded-card border border-line bg-surface p-5">
      <h2 className="mb-4 text-base font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Rows({ rows, stats }: { rows: readonly Row[]; stats: AdminStats | null | undefined }) {
  return (
    <dl className="text-base">
      {rows.map(({ label, value, isAlarming }) => (
        <div key={label} className="flex gap-3 border-b border-line py-2.5 last:border-b-0">
          <dt className="text-ink-2">{label}</dt>
          <dd
            className={cn(
              'ms-auto font-semibold tabular-nums',
              stats && isAlarming?.(stats) && 'text-danger',
            )}
          >
            {stats ? value(stats) : stats === null ? '-' : <Skeleton className="h-5 w-16" />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function DashboardTab() {
  const { data, isPending } = useStats();
  // undefined while loading, null after a failure.
  const stats = data ?? (isPending ? undefined : null);
  const show = (value: (stats: AdminStats) => string): string | null =>
    stats ? value(stats) : stats === null ? '-' : null;
  const note = (value: (stats: AdminStats) => string): { note?: string } =>
    stats ? { note: value(stats) } : {};
  const ofTotal = (part: number, whole: number) =>
    t('{percent} of total', { percent: formatPercent(shareOf(part, whole)) });
  return (
    <>
      {isPending && (
        <p role="status" className="mb-3 text-control text-ink-2">
          {t('Loading admin dashboard...')}
        </p>
      )}
      <dl aria-busy={isPending} className="flex flex-wrap gap-3">
        <StatCard label={t('Total Users')} value={show(s => formatCount(s.total_users))} />
        <StatCard
          label={t('Active Users')}
          value={show(s => formatCount(s.active_users))}
          {...note(s => ofTotal(s.active_users, s.total_users))}
        />
        <StatCard
          label={t('New Users')}
          value={show(s => formatCount(s.new_users_this_month))}
          note={t('this month')}
        />
        <StatCard
          label={t('Churn Rate')}
          value={show(s => formatPercent(churnRateOf(s)))}
          note={t('30+ days inactive')}
          warning={stats && isChurnHigh(stats) ? t('high') : undefined}
        />
      </dl>
      <dl className="mt-3 flex flex-wrap gap-3">
        <StatCard label={t('Total Storage')} value={show(s => formatSize(s.storage_used))} />
        <StatCard label={t('Total Emails')} value={show(s => formatCount(s.total_emails_sent))} />
        <StatCard label={t('Emails This Month')} value={show(s => formatCount(s.emails_sent_this_month))} />
        <StatCard label={t('Total Domains')} value={show(s => formatCount(s.total_domains))} />
        <StatCard
          label={t('Active Domains')}
          value={show(s => formatCount(s.active_domains))}
          {...note(s => ofTotal(s.active_domains, s.total_domains))}
        />
      </dl>
      <div className="mt-3 flex flex-wrap gap-3">
        <Panel title={t('Users by Plan')}>
          {stats ? (
            <PlanShares byPlan={stats.users_by_plan} />
          ) : stats === null ? (
            '-'
          ) : (
            <Skeleton className="h-40 w-full" />
          )}
        </Panel>
        <Panel title={t('User Activity')}>
          <Rows
            stats={stats}
            rows={[
              {
                label: t('Active Rate'),
                value: s => formatPercent(shareOf(s.active_users, s.total_users)),
              },
              { label: t('Monthly Growth'), value: s => formatPercent(growthOf(s), true) },
              {
                label: t('Churn Rate 30d'),
                value: s => formatPercent(churnRateOf(s)),
                isAlarming: isChurnHigh,
              },
            ]}
          />
        </Panel>
        <Panel title={t('System Usage')}>
          <Rows
            stats={stats}
            rows={[
              { label: t('Total Storage Used'), value: s => formatSize(s.storage_used) },
              {
                label: t('Avg Storage per User'),
                value: s => formatSize(s.total_users === 0 ? 0 : s.storage_used / s.total_users),
              },
              {
                label: t('Emails per User'),
                value: s => formatAverage(s.total_users === 0 ? 0 : s.total_emails_sent / s.total_users),
              },
            ]}
          />
        </Panel>
      </div>
    </>
  );
}
