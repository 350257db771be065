// A server-side import: progress, result, and a button to cancel it.
import { CallError } from '@keyfold/contract/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useRef } from 'react';
import { sentenceGap, t } from '../../lib/language.ts';
import { formatCount, joinParts } from '../../lib/words.ts';
import { serverImportsClient } from '../../session/calls/clients/server-imports.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { SERVER_IMPORT_POLL_MS } from '../../timing.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { showToast } from '../../ui/toasts.ts';
import { leftText, serverFailureText } from './import-words.ts';
import { ServerFailures } from './ServerFailures.tsx';
import { type Seen, speedOf } from './server-speed.ts';

type Status = Awaited<ReturnType<typeof serverImportsClient.status>>['data'];

function stateText(status: Status['status']): string {
  switch (status) {
    case 'queued':
      return t('Queued');
    case 'running':
      return t('Importing');
    case 'done':
      return t('Finished');
    case 'failed':
      return t('Stopped');
    case 'cancelled':
      return t('Import canceled');
  }
}

const isUnderWay = (status: Status | undefined): boolean =>
  status === undefined || status.status === 'queued' || status.status === 'running';

type ServerRunProps = {
  id: string;
  onPutAway: () => void;
};

type RunNumbersProps = { status: Status; speed: ReturnType<typeof speedOf>; isOpen: boolean };

/** Progress, speed and results so far. */
function RunNumbers({ status, speed, isOpen }: RunNumbersProps) {
  const speedText =
    speed === null
      ? ''
      : joinParts([
          t('{count} per minute', { count: formatCount(Math.round(speed.perMinute)) }),
          leftText(speed.leftMs),
        ]);
  const numbers = [
    { label: t('Imported'), value: status.imported },
    { label: t('Skipped'), value: status.skipped },
    { label: t('Failed'), value: status.failed },
  ];
  return (
    <>
      <p className="flex flex-wrap justify-between gap-x-4 text-control tabular-nums">
        <span role="status">
          {status.total > 0
            ? t('{what}: {why}', {
                what: stateText(status.status),
                why: t('{done} of {total} messages', {
                  done: formatCount(status.processed),
                  total: formatCount(status.total),
                }),
              })
            : stateText(status.status)}
        </span>
        <span className="text-ink-2">{speedText}</span>
      </p>
      <Progress
        label={t('Server import')}
        thick
        value={
          status.status === 'done' ? 100 : status.total > 0 ? (100 * status.processed) / status.total : 0
        }
        tone={status.status === 'failed' ? 'danger' : 'accent'}
      />
      <dl className="flex flex-wrap gap-3">
        {numbers.map(({ label, value }) => (
          <div key={label} className="min-w-28 flex-1 rounded-control bg-well px-3 py-2">
            <dt className="text-control text-ink-2">{label}</dt>
            <dd className="font-semibold tabular-nums">{formatCount(value)}</dd>
          </div>
        ))}
      </dl>
      {!isOpen && (
        <p className="text-control text-ink-2">
          {status.skipped > 0 && t('Skipped items were already in your mailbox or aren’t messages.')}
          {status.skipped > 0 && sentenceGap()}
          <ServerFailures errors={status.errors} failed={status.failed} />
        </p>
      )}
    </>
  );
}

/** The card; an import that no longer exists, or belongs to another user, can be dismissed. */
export function ServerRun({ id, onPutAway }: ServerRunProps) {
  const cache = useQueryClient();
  const queryKey = ['server-import', id];
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey,
    queryFn: async () => (await serverImportsClient.status({ id })).data,
    refetchInterval: ({ state }) =>
      isUnderWay(state.data) && !(state.error instanceof CallError && state.error.status === 404)
        ? SERVER_IMPORT_POLL_MS
        : false,
  });
  const end = useMutation({
    mutationFn: () => serverImportsClient.cancel({ id }),
    onError: why => showToast({ tone: 'danger', text: callErrorText(why) }),
    onSettled: () => cache.invalidateQueries({ queryKey }),
  });
  const first = useRef<Seen | null>(null);
  if (data?.status === 'running') first.current ??= { at: dataUpdatedAt, done: data.processed };
  const speed =
    data?.status === 'running' && first.current !== null
      ? speedOf(first.current, { at: dataUpdatedAt, done: data.processed }, data.total)
      : null;
  const isGone = error instanceof CallError && error.status === 404;
  const isOpen = isUnderWay(data) && !isGone;
  return (
    <section
      aria-label={t('Server import')}
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-5 max-pane:p-4"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-40 flex-1 font-semibold">{t('Server import')}</h2>
        {isOpen ? (
          <Button variant="quietDanger" busy={end.isPending} onClick={() => end.mutate()}>
            {t('Cancel')}
          </Button>
        ) : (
          <Button variant="outline" onClick={onPutAway}>
            {t('Done')}
          </Button>
        )}
      </div>
      {error !== null && (
        <Banner tone="danger" icon={<CircleAlert size={16} />} role="alert">
          {t('Failed to get import status')}
        </Banner>
      )}
      {data !== undefined && <RunNumbers status={data} speed={speed} isOpen={isOpen} />}
      {data?.failure != null && (
        <Banner tone="danger" icon={<CircleAlert size={16} />} role="alert">
          {serverFailureText(data.kind, data.failure)}
        </Banner>
      )}
    </section>
  );
}
