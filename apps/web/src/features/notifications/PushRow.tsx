// The switch of the notification settings that registers this device for notifications while
// Keyfold is closed.
import { t } from '../../lib/language.ts';
import type { NotifyPermission } from '../../platform/notifications.ts';
import { pushDevice } from '../../platform/push.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { showToast } from '../../ui/toasts.ts';
import { usePush, useSwitchPush } from './queries.ts';

type Push = NonNullable<ReturnType<typeof usePush>['data']>;

function textOf(push: Push | undefined, isFailed: boolean): string {
  if (isFailed) return t('Couldn’t load push options. Try again later.');
  if (!pushDevice().isAble())
    return t(
      'This browser can’t receive notifications while Keyfold is closed. On an iPhone or iPad, add Keyfold to the Home Screen first.',
    );
  if (push?.platforms.includes(pushDevice().platform) === false)
    return t('This server doesn’t send notifications to browsers.');
  return t(
    'Your browser’s push service learns that something arrived for this device, but never what or who sent it.',
  );
}

export function PushRow({ permission }: { permission: NotifyPermission }) {
  const { data, isError } = usePush();
  const turn = useSwitchPush();
  const isOffered = data?.platforms.includes(pushDevice().platform) === true && pushDevice().isAble();
  const isOn = data?.isOnHere === true;
  const label = t('Notify while Keyfold is closed');
  const press = (wanted: boolean) =>
    turn.mutate(wanted ? (data?.vapid_public_key ?? null) : null, {
      onError: error => {
        // Browser errors are not translated and are mostly about the browser's push service.
        const isOurs = error instanceof Error && error.name === 'CallError';
        showToast({
          tone: 'danger',
          text: isOurs ? callErrorText(error) : t('Your browser couldn’t reach its push service.'),
        });
      },
    });
  return (
    <SettingsRow label={label} text={textOf(data, isError)}>
      <Switch
        label={label}
        checked={isOn}
        disabled={!isOffered || turn.isPending || (permission !== 'granted' && !isOn)}
        onChange={press}
      />
    </SettingsRow>
  );
}
