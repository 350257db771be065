// The test of notifications over the whole way: the server, a push service, this device.
import { t } from '../../lib/language.ts';
import { notificationsClient } from '../../session/calls/clients/notifications.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { showToast } from '../../ui/toasts.ts';

/** Has the server push to this device, and says whether it knows it. */
export async function sendPushTest(): Promise<void> {
  try {
    const { data } = await notificationsClient.test({});
    if (data.queued === 0)
      showToast({ tone: 'danger', text: t('This device is not registered. Switch it off and on again.') });
    else showToast({ tone: 'success', text: t('A test is on its way.') });
  } catch (error) {
    showToast({ tone: 'danger', text: callErrorText(error) });
  }
}
