// Files that are saved in the shell of a phone: where they went is said, since no browser shows it. Fetched in the shell alone.
import { t } from '../lib/language.ts';
import { forgetHandedOver, saveToPhone } from '../native/save-to-phone.ts';
import { saveBy } from '../platform/save-file.ts';
import { showToast } from '../ui/toasts.ts';
import { onStatus, sessionStatus } from './state/session-state.ts';

/**
 * Saves files to the phone from now on. What was handed to other programs goes with the next start, and with the session: it
 * is nobody's any more.
 */
export function saveFilesToPhone(): void {
  void forgetHandedOver();
  onStatus(() => {
    if (sessionStatus() === 'out') void forgetHandedOver();
  });
  saveBy(async (content, name) => {
    try {
      const place = await saveToPhone(content, name);
      if (place === 'documents')
        showToast({ tone: 'success', text: t('Saved as {name} in Documents, folder Keyfold', { name }) });
      return place !== 'nowhere';
    } catch {
      showToast({ tone: 'danger', text: t('The file could not be saved') });
      return false;
    }
  });
}
