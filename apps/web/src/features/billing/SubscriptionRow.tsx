// The current subscription: its end date, canceling it after a confirmation, and resuming it.
import type { SubscriptionStatus } from '@keyfold/contract';
import { useState } from 'react';
import { formatDay } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { planNames } from './plan-words.ts';
import { useSubscriptionAct } from './queries.ts';

const dayOf = (time: string): string => formatDay(new Date(time));

function wordsOf({ ends_at, renews_at, paid_plan }: SubscriptionStatus): string {
  const plan = planNames[paid_plan ?? 'free'];
  if (ends_at !== null)
    return t(
      '{plan} lasts until {date}. After that you’re on Free: you keep everything you have, but can’t add more than Free allows.',
      { plan, date: dayOf(ends_at) },
    );
  return renews_at === null
    ? plan
    : t('{plan} is paid until {date} and renews automatically.', { plan, date: dayOf(renews_at) });
}

/** The row; renders nothing without a subscription. */
export function SubscriptionRow({ status }: { status: SubscriptionStatus }) {
  const { run, busy, error } = useSubscriptionAct();
  const [isAsked, setAsked] = useState(false);
  if (!status.has_subscription) return null;
  const isEnding = status.ends_at !== null;
  const plan = planNames[status.paid_plan ?? 'free'];
  return (
    <div className="mt-6 border-t border-line">
      <SettingsRow label={isEnding ? t('Canceled') : t('Your subscription')} text={wordsOf(status)}>
        <Button
          variant={isEnding ? 'outline' : 'quietDanger'}
          busy={busy}
          onClick={() => (isEnding ? run({ action: 'resume' }) : setAsked(true))}
        >
          {isEnding ? t('Keep {plan}', { plan }) : t('Cancel subscription')}
        </Button>
      </SettingsRow>
      <CallFailure
        title={isEnding ? t('Failed to resume subscription') : t('Failed to cancel subscription')}
        error={error}
      />
      <AlertDialog
        open={isAsked}
        title={t('Cancel your {plan} subscription?', { plan })}
        confirmLabel={t('Cancel subscription')}
        cancelLabel={t('Keep {plan}', { plan })}
        onCancel={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false);
          run({ action: 'cancel' });
        }}
      >
        <p>
          {status.renews_at === null
            ? t('Your subscription won’t renew. You can undo this until it ends.')
            : t(
                '{plan} lasts until {date} and won’t renew. After that you’re on Free: you keep everything you have, but can’t add more than Free allows. You can undo this until then.',
                { plan, date: dayOf(status.renews_at) },
              )}
        </p>
      </AlertDialog>
    </div>
  );
}
