// `/app/config/notifications`: what this device notifies about while the page is not in view, quiet
// hours, and a test.
import { useEffect, useState } from 'react';
import { t } from '../../lib/language.ts';
import {
  askToNotify,
  type NotifyPermission,
  notifyPermission,
  showNotification,
} from '../../platform/notifications.ts';
import { pushDevice } from '../../platform/push.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import {
  isClock,
  type NotificationChoices,
  setNotificationChoices,
  useNotificationChoices,
} from '../../session/news/notification-choices.ts';
import { isPushOn, sendPushChoices } from '../../session/news/push.ts';
import { Button } from '../../ui/Button.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { showToast } from '../../ui/toasts.ts';
import { PhonePushRow } from './PhonePushRow.tsx';
import { PushDevices } from './PushDevices.tsx';
import { PushRow } from './PushRow.tsx';
import { usePush } from './queries.ts';
import { sendPushTest } from './send-push-test.ts';

function permissionText(permission: NotifyPermission): string {
  switch (permission) {
    case 'granted':
      return t('Allowed on this device.');
    case 'default':
      return t('Your browser will ask for permission once.');
    case 'denied':
      return t('Blocked by your browser. Allow notifications for this page in the browser’s settings.');
    case 'unsupported':
      return t('This browser doesn’t support notifications.');
  }
}

/**
 * Tracks the browser's permission, live: users change it in the browser's own settings and come
 * back.
 */
function usePermission() {
  const [permission, setPermission] = useState(notifyPermission);
  useEffect(() => {
    const look = () => setPermission(notifyPermission());
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, []);
  return [permission, setPermission] as const;
}

async function sendTest(): Promise<void> {
  if (isPushOn()) {
    await sendPushTest();
    return;
  }
  const isShown = await showNotification({
    title: 'Keyfold',
    body: t('This is what a notification looks like.'),
    tag: 'test',
    target: '#/inbox',
  });
  if (!isShown) showToast({ tone: 'danger', text: t('Your system didn’t show the notification.') });
}

/** Saves a choice and sends it to the server where the server needs it. */
function choose(change: Partial<NotificationChoices>): void {
  setNotificationChoices(change);
  sendPushChoices().catch(error => showToast({ tone: 'danger', text: callErrorText(error) }));
}

export function NotificationsPage() {
  const [permission, setPermission] = usePermission();
  const choices = useNotificationChoices();
  const push = usePush();
  const isPhone = pushDevice().platform !== 'web';
  const isOff = isPhone ? push.data?.isOnHere !== true : permission !== 'granted';
  const kinds: readonly { name: 'newEmails' | 'mentions' | 'security'; label: string; text: string }[] = [
    { name: 'newEmails', label: t('New mail'), text: t('Every message that arrives in your inbox.') },
    {
      name: 'mentions',
      label: t('Mentions'),
      text: t('Messages addressed to you in To, even when “New mail” is off.'),
    },
    {
      name: 'security',
      label: t('Security'),
      text: t('Notices about your account, such as a sign-in from a new browser.'),
    },
  ];
  const time = (name: 'quietFrom' | 'quietTo', label: string) => (
    <TextField
      type="time"
      label={label}
      value={choices[name]}
      disabled={isOff || !choices.quiet}
      onChange={value => isClock(value) && choose({ [name]: value } satisfies Partial<NotificationChoices>)}
    />
  );
  return (
    <SettingsPage
      title={t('Notifications')}
      text={
        isPhone
          ? t(
              'For mail that arrives while Keyfold is closed. Notifications say that something arrived, never who sent it. These settings stay on this device until you sign out.',
            )
          : t(
              'For mail that arrives while Keyfold is open in the background. Notifications show the sender but never the subject, because your system stores them. These settings stay on this device until you sign out.',
            )
      }
    >
      {isPhone ? (
        <PhonePushRow />
      ) : (
        <>
          <SettingsRow label={t('Notifications on this device')} text={permissionText(permission)}>
            {permission === 'default' && (
              <Button onClick={() => void askToNotify().then(setPermission)}>
                {t('Allow notifications')}
              </Button>
            )}
            {permission === 'granted' && (
              <Button variant="outline" onClick={() => void sendTest()}>
                {t('Send test')}
              </Button>
            )}
          </SettingsRow>
          <PushRow permission={permission} />
        </>
      )}
      {kinds.map(({ name, label, text }) => (
        <SettingsRow key={name} label={label} text={text}>
          <Switch
            label={label}
            checked={choices[name]}
            disabled={isOff}
            onChange={isOn => choose({ [name]: isOn } satisfies Partial<NotificationChoices>)}
          />
        </SettingsRow>
      ))}
      <SettingsRow
        label={t('Quiet hours')}
        text={t('No notifications during these hours, by this device’s clock.')}
      >
        <Switch
          label={t('Quiet hours')}
          checked={choices.quiet}
          disabled={isOff}
          onChange={quiet => choose({ quiet })}
        />
      </SettingsRow>
      {choices.quiet && (
        <div className="flex flex-wrap gap-4 py-4">
          {time('quietFrom', t('Quiet from'))}
          {time('quietTo', t('Quiet until'))}
        </div>
      )}
      <PushDevices />
    </SettingsPage>
  );
}
