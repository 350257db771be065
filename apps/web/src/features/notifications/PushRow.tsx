// The switch of the notification settings that has this device told of mail while Keyfold is closed.
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
  if (isFailed) return t('What your server offers could not be asked. Open this page again later.');
  if (!pushDevice().isAble())
    return t(
      'This browser hears nothing while Keyfold is closed. On an iPhone or iPad, add Keyfold to the Home Screen first.',
    );
  if (push?.platforms.includes(pushDevice().platform) === false)
    return t('This server sends no notifications to browsers.');
  return t(
    'Your browser’s push service then learns that something came for this device, and never what or from whom.',
  );
}

/** The row. */
export function PushRow({ permission }: { permission: NotifyPermission }) {
  const { data, isError } = usePush();
  const turn = useSwitchPush();
  const isOffered = data?.platforms.includes(pushDevice().platform) === true && pushDevice().isAble();
  const isOn = data?.isOnHere === true;
  const label = t('Also while Keyfold is closed');
  const press = (wanted: boolean) =>
    turn.mutate(wanted ? (data?.vapid_public_key ?? null) : null, {
      onError: error => {
        // What the browser says is in its own words, and mostly about its push service.
        const isOurs = error instanceof Error && error.name === 'CallError';
        showToast({
          tone: 'danger',
          text: isOurs ? callErrorText(error) : t('Your browser could not reach its push service.'),
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
