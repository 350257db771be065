// Tests notifications end to end: server, push service, this device.
import { t } from '../../lib/language.ts';
import { notificationsClient } from '../../session/calls/clients/notifications.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { showToast } from '../../ui/toasts.ts';

/** Makes the server push to this device, and reports whether the server knows the device. */
export async function sendPushTest(): Promise<void> {
  try {
    const { data } = await notificationsClient.test({});
    if (data.queued === 0)
      showToast({
        tone: 'danger',
        text: t('This device isn’t registered. Turn notifications off and on again.'),
      });
    else showToast({ tone: 'success', text: t('Test notification sent') });
  } catch (error) {
    showToast({ tone: 'danger', text: callErrorText(error) });
  }
}
