// Warns that the key log is inconsistent, or that it listed foreign keys for one of the user's
// addresses (docs/crypto.md, Key log). It stays until the user dismisses it.
import { ShieldAlert } from 'lucide-react';
import { formatFullDate } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { dismissKeyAlarm, type KeyAlarm } from '../../session/trust/key-alarm.ts';
import { noteTold, trustLogAnew } from '../../session/trust/key-log.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';

function wordsOf(alarm: KeyAlarm): { readonly title: string; readonly text: string } {
  if (alarm.kind === 'log')
    return {
      title: t('This service’s key log is inconsistent'),
      text: t(
        'The service may be showing different keys to different people. Nothing is encrypted with keys that couldn’t be confirmed. If the administrator of this service tells you that a backup was restored, you can trust the log again.',
      ),
    };
  if (alarm.kind === 'elsewhere')
    return {
      title: t('{sender} may see a different key log', { sender: alarm.sender }),
      text: t(
        'Their message reports a key log that differs from yours. This service may be showing different keys to different people. Compare safety numbers with them.',
      ),
    };
  const { address, changedAt, isGone } = alarm;
  const date = formatFullDate(new Date(changedAt));
  return isGone
    ? {
        title: t('This service reported that {address} has no keys', { address }),
        text: t(
          'This happened on {date}. Unless you gave up the address yourself, messages to it may have been sent without end-to-end encryption since then.',
          { date },
        ),
      }
    : {
        title: t('Keys that aren’t yours were given out for {address}', { address }),
        text: t(
          'This happened on {date}. Someone else can read messages encrypted with those keys. Compare safety numbers with the people you write to.',
          { date },
        ),
      };
}

type KeyAlarmBarProps = {
  alarm: KeyAlarm;
};

/** Shown while there is a warning. */
export function KeyAlarmBar({ alarm }: KeyAlarmBarProps) {
  const { title, text } = wordsOf(alarm);
  const dismiss = (): void => {
    if (alarm.kind === 'own') noteTold(alarm.address, alarm.version);
    dismissKeyAlarm();
  };
  return (
    <div className="px-3 pt-2">
      <Banner
        tone="danger"
        role="alert"
        title={title}
        icon={<ShieldAlert size={16} />}
        actions={
          <>
            {alarm.kind === 'log' && (
              <Button variant="inherit" size="xs" onClick={() => void trustLogAnew().then(dismissKeyAlarm)}>
                {t('Trust log again')}
              </Button>
            )}
            <Button variant="inherit" size="xs" onClick={dismiss}>
              {t('Dismiss')}
            </Button>
          </>
        }
      >
        {text}
      </Banner>
    </div>
  );
}
