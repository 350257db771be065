// The switch of the notification settings in the app for a phone: permission, registration and a test in one line. The phone is
// asked for permission when it is switched on, and not before.
import { t } from '../../lib/language.ts';
import { pushDevice } from '../../platform/push.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { showToast } from '../../ui/toasts.ts';
import { usePush, useSwitchPush } from './queries.ts';
import { sendPushTest } from './send-push-test.ts';

type Push = NonNullable<ReturnType<typeof usePush>['data']>;

function textOf(push: Push | undefined, isFailed: boolean): string {
  if (isFailed) return t('What your server offers could not be asked. Open this page again later.');
  if (!pushDevice().isAble()) return t('This app was built without notifications.');
  if (push?.platforms.includes(pushDevice().platform) === false)
    return t('This server sends no notifications to this app.');
  if (push?.permission === 'denied')
    return t('Blocked by your phone. Allow notifications for Keyfold in its settings.');
  return t(
    'Your phone’s push service then learns that something came for this device, and never what or from whom.',
  );
}

/** The row. */
export function PhonePushRow() {
  const { data, isError } = usePush();
  const turn = useSwitchPush();
  const isOffered = data?.platforms.includes(pushDevice().platform) === true && pushDevice().isAble();
  const isOn = data?.isOnHere === true;
  const label = t('Notifications on this device');
  const press = (wanted: boolean) =>
    turn.mutate(wanted ? (data?.vapid_public_key ?? null) : null, {
      onError: async error => {
        const isOurs = error instanceof Error && error.name === 'CallError';
        // A person who said no has been heard; the line says what that means.
        if (!isOurs && (await pushDevice().findPermission()) !== 'granted') return;
        showToast({
          tone: 'danger',
          text: isOurs ? callErrorText(error) : t('Your phone could not reach its push service.'),
        });
      },
    });
  return (
    <SettingsRow label={label} text={textOf(data, isError)}>
      <div className="flex items-center gap-4">
        {isOn && (
          <Button variant="outline" onClick={() => void sendPushTest()}>
            {t('Send test')}
          </Button>
        )}
        <Switch
          label={label}
          checked={isOn}
          disabled={!isOffered || turn.isPending || (data.permission === 'denied' && !isOn)}
          onChange={press}
        />
      </div>
    </SettingsRow>
  );
}
