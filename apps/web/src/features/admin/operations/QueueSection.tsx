// Queued outgoing mail: its destination and why it waits, never its owner. Retry now and drop, for
// a domain or one recipient, depending on the admin's level; the server enforces it.
import type { QueueDomain, QueueEntry } from '@keyfold/contract';
import type { AdminLevel } from '@keyfold/contract/limits';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { formatCount } from '../../../lib/words.ts';
import { AlertDialog } from '../../../ui/AlertDialog.tsx';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { Select } from '../../../ui/Select.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { Moment } from './Moment.tsx';
import {
  failureText,
  type QueueTarget,
  type QueueView,
  useDeliverNow,
  useDropMail,
  useQueue,
} from './queries.ts';
import { type Column, RowsTable } from './RowsTable.tsx';
import { Section } from './Section.tsx';
import { whyOf } from './status-words.ts';

const tones = { waiting: 'neutral', deferred: 'warn', delivering: 'info' } as const;

function StateBadge({ state }: { state: QueueEntry['state'] }) {
  const words = { waiting: t('Waiting'), deferred: t('Deferred'), delivering: t('Delivering') };
  return <Badge tone={tones[state]}>{words[state]}</Badge>;
}

const domainName = (domain: string | null): string => domain ?? t('Unreadable');

/** Description of the mail to be dropped. */
type Drop = {
  readonly target: QueueTarget;
  readonly domain: string;
  /** One recipient, or all recipients of the domain. */
  readonly count: number;
};

function DropQuestion({ drop, onClose }: { drop: Drop; onClose: () => void }) {
  const dropping = useDropMail();
  const confirm = () =>
    dropping.mutate(drop.target, {
      onError: error => showToast({ tone: 'danger', text: failureText(t('Couldn’t drop the mail'), error) }),
      onSettled: onClose,
    });
  return (
    <AlertDialog
      open
      title={t(
        '{count, plural, one {Drop mail to # recipient at {domain}?} other {Drop mail to # recipients at {domain}?}}',
        {
          count: drop.count,
          domain: drop.domain,
        },
      )}
      confirmLabel={t('Drop')}
      busy={dropping.isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {t(
        'Delivery stops. Each sender gets a failure notice, and the audit log records who dropped the mail.',
      )}
    </AlertDialog>
  );
}

function domainColumns(): Column<QueueDomain>[] {
  return [
    { name: t('Domain'), show: row => <span dir="ltr">{domainName(row.domain)}</span> },
    { name: t('Recipients'), isNumber: true, show: row => formatCount(row.recipients) },
    { name: t('Deferred'), isNumber: true, show: row => formatCount(row.deferred) },
    { name: t('Oldest'), show: row => <Moment at={row.oldest_at} /> },
    { name: t('Next attempt'), show: row => <Moment at={row.next_attempt_at} /> },
  ];
}

function entryColumns(): Column<QueueEntry>[] {
  return [
    { name: t('Domain'), show: row => <span dir="ltr">{domainName(row.domain)}</span> },
    { name: t('State'), show: row => <StateBadge state={row.state} /> },
    { name: t('Last response'), show: row => whyOf(row) ?? t('None yet') },
    { name: t('Attempts'), isNumber: true, show: row => formatCount(row.attempts) },
    { name: t('Queued since'), show: row => <Moment at={row.queued_at} /> },
    { name: t('Next attempt'), show: row => <Moment at={row.next_attempt_at} /> },
  ];
}

type QueueData = NonNullable<ReturnType<typeof useQueue>['data']>;

function QueueTotals({ data }: { data: QueueData }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {(
        [
          [t('Waiting'), data.waiting],
          [t('Deferred'), data.deferred],
          [t('Delivering'), data.delivering],
        ] as const
      ).map(([name, count]) => (
        <div key={name}>
          <dt className="text-control text-ink-2">{name}</dt>
          <dd className="text-number font-semibold tabular-nums">{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

type WaitingRecipientsProps = {
  data: QueueData;
  view: QueueView;
  onView: (view: QueueView) => void;
  actions: ((row: QueueEntry) => ReactNode) | undefined;
};

function WaitingRecipients({ data, view, onView, actions }: WaitingRecipientsProps) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="text-base font-semibold">{t('Recipients')}</h3>
        {view.domain !== null && (
          <Button
            variant="soft"
            size="sm"
            aria-label={t('Show all domains')}
            onClick={() => onView({ ...view, domain: null, page: 1 })}
          >
            <span dir="ltr">{view.domain}</span>
            <X aria-hidden size={14} />
          </Button>
        )}
        <div className="ms-auto">
          <Select
            label={t('State')}
            hideLabel
            options={[
              { value: 'all', label: t('All states') },
              { value: 'waiting', label: t('Waiting') },
              { value: 'deferred', label: t('Deferred') },
              { value: 'delivering', label: t('Delivering') },
            ]}
            value={view.state}
            onChange={state => onView({ ...view, state, page: 1 })}
          />
        </div>
      </div>
      {data.entries.length === 0 ? (
        <p className="text-control text-ink-2">{t('No recipients match this filter.')}</p>
      ) : (
        <RowsTable
          label={t('Queued recipients')}
          rows={data.entries}
          idOf={row => row.id}
          columns={entryColumns()}
          actionsName={t('Actions')}
          actions={actions}
        />
      )}
      {(data.has_more || view.page > 1) && (
        <Pagination
          page={view.page}
          pages={data.has_more ? view.page + 1 : view.page}
          onChange={page => onView({ ...view, page })}
        />
      )}
    </div>
  );
}

export function QueueSection({ level }: { level: AdminLevel }) {
  const [view, setView] = useState<QueueView>({ domain: null, state: 'all', page: 1 });
  const [drop, setDrop] = useState<Drop | null>(null);
  const query = useQueue(view);
  const deliver = useDeliverNow();
  const may = { deliver: level !== 'readonly', drop: level === 'super' };

  const buttons = (target: QueueTarget, domain: string, count: number) => (
    <>
      {may.deliver && (
        <Button
          variant="outline"
          size="xs"
          aria-label={t('Deliver now: {domain}', { domain })}
          busy={deliver.isPending && JSON.stringify(deliver.variables) === JSON.stringify(target)}
          onClick={() => deliver.mutate(target)}
        >
          {t('Deliver now')}
        </Button>
      )}
      {may.drop && (
        <Button
          variant="quietDanger"
          size="xs"
          aria-label={t('Drop: {domain}', { domain })}
          onClick={() => setDrop({ target, domain, count })}
        >
          {t('Drop')}
        </Button>
      )}
    </>
  );

  return (
    <Section
      title={t('Outgoing queue')}
      text={t('Shows domains and response codes, never addresses, senders or message content.')}
      failed={t('Couldn’t load the queue')}
      query={query}
    >
      {data => {
        const total = data.waiting + data.deferred + data.delivering;
        if (total === 0) return <p className="text-control text-ink-2">{t('The queue is empty')}</p>;
        return (
          <div className="flex flex-col gap-6">
            <QueueTotals data={data} />
            <RowsTable
              label={t('Queued mail by domain')}
              rows={data.domains}
              idOf={row => row.domain ?? ''}
              columns={domainColumns()}
              actionsName={t('Actions')}
              actions={row =>
                row.domain !== null && (
                  <>
                    <Button
                      variant="quiet"
                      size="xs"
                      aria-label={t('Show only {domain}', { domain: row.domain })}
                      onClick={() => setView({ domain: row.domain, state: 'all', page: 1 })}
                    >
                      {t('Show')}
                    </Button>
                    {buttons({ domain: row.domain }, row.domain, row.recipients)}
                  </>
                )
              }
            />
            <WaitingRecipients
              data={data}
              view={view}
              onView={setView}
              actions={
                may.deliver
                  ? row => row.state !== 'delivering' && buttons({ id: row.id }, domainName(row.domain), 1)
                  : undefined
              }
            />
            {drop !== null && <DropQuestion drop={drop} onClose={() => setDrop(null)} />}
          </div>
        );
      }}
    </Section>
  );
}
