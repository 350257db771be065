// The devices registered for notifications while Keyfold is closed, in the notification settings.
// Other devices can be removed.
import { MonitorSmartphone } from 'lucide-react';
import { formatFullDate } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { showToast } from '../../ui/toasts.ts';
import { usePush, useRemovePushDevice } from './queries.ts';

type Device = NonNullable<ReturnType<typeof usePush>['data']>['devices'][number];

function nameOf({ device_info: { model, operatingSystem } }: Device): string {
  const words = [model, operatingSystem].filter(word => word !== '');
  return words.length === 0 ? t('Unknown device') : words.join(' · ');
}

function stateOf({ failing_since: failingSince, sent_at: sentAt }: Device): string {
  if (failingSince !== null)
    return t('Unreachable since {date}', { date: formatFullDate(new Date(failingSince)) });
  return sentAt === null
    ? t('No notifications sent yet')
    : t('Last notified {date}', { date: formatFullDate(new Date(sentAt)) });
}

/** Renders nothing while there are no devices. */
export function PushDevices() {
  const { data } = usePush();
  const remove = useRemovePushDevice();
  const devices = data?.devices ?? [];
  if (devices.length === 0) return null;
  return (
    <section className="mt-6">
      <h2 className="mb-2 font-semibold">{t('Registered devices')}</h2>
      <ul aria-label={t('Registered devices')} className="rounded-card border border-line">
        {devices.map(device => (
          <li
            key={device.id}
            className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 last:border-b-0"
          >
            <MonitorSmartphone aria-hidden size={18} className="shrink-0 text-ink-3" />
            <div className="min-w-40 flex-1">
              <div className="font-medium">
                {nameOf(device)}
                {device.current && (
                  <span className="ms-2 rounded-chip bg-secure-bg px-1.5 py-0.5 text-meta font-semibold text-secure">
                    {t('This device')}
                  </span>
                )}
              </div>
              <div
                className={
                  device.failing_since === null ? 'text-control text-ink-2' : 'text-control text-danger'
                }
              >
                {stateOf(device)}
              </div>
            </div>
            {!device.current && (
              <Button
                variant="outline"
                size="sm"
                aria-label={t('Remove {device}', { device: nameOf(device) })}
                busy={remove.isPending && remove.variables === device.id}
                onClick={() =>
                  remove.mutate(device.id, {
                    onError: cause => showToast({ tone: 'danger', text: callErrorText(cause) }),
                  })
                }
              >
                {t('Remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
