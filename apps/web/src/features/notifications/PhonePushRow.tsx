// The push switch of the notification settings in the phone app: permission, registration and a
// test in one row. The app requests the phone's permission only when the switch is turned on.
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
  if (isFailed) return t('Couldn’t load push options. Try again later.');
  if (!pushDevice().isAble()) return t('This app was built without push notifications.');
  if (push?.platforms.includes(pushDevice().platform) === false)
    return t('This server doesn’t send notifications to this app.');
  if (push?.permission === 'denied')
    return t('Blocked by your phone. Allow notifications for Keyfold in the phone’s settings.');
  return t(
    'Your phone’s push service learns that something arrived for this device, but never what or who sent it.',
  );
}

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
        // No error is shown when the user denied permission: the text of the row explains it.
        if (!isOurs && (await pushDevice().findPermission()) !== 'granted') return;
        showToast({
          tone: 'danger',
          text: isOurs ? callErrorText(error) : t('Your phone couldn’t reach its push service.'),
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
