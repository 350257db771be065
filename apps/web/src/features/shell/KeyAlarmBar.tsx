// Warns that the key log does not add up, or that it named foreign keys for an own address (docs/crypto.md, Key log). It
// stays until somebody has read it.
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
      title: t('The key log of this service does not add up'),
      text: t(
        'It may be showing different people different keys. Nothing is sealed with keys that could not be confirmed. After a backup was put back, your operator can tell you so; then you may trust it anew.',
      ),
    };
  if (alarm.kind === 'elsewhere')
    return {
      title: t('{sender} may see another key log than you', { sender: alarm.sender }),
      text: t(
        'A mail of theirs says so. If that is true, this service shows people different keys. Compare safety numbers with them.',
      ),
    };
  const { address, changedAt, isGone } = alarm;
  const date = formatFullDate(new Date(changedAt));
  return isGone
    ? {
        title: t('This service said that {address} has no keys', { address }),
        text: t(
          'That was on {date}. Unless you gave the address up yourself, mail to it may have been sent unencrypted since.',
          { date },
        ),
      }
    : {
        title: t('Other keys were given out for {address}', { address }),
        text: t(
          'That was on {date}. Mail that was sealed with them can be read by somebody else. Compare safety numbers with the people you write to.',
          { date },
        ),
      };
}

type KeyAlarmBarProps = {
  alarm: KeyAlarm;
};

/** The bar; shown while there is something to warn of. */
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
                {t('Trust it anew')}
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
