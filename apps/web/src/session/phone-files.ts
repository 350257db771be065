// Saving files in the native shell. Reports where each file went, because no browser shows it.
// Loaded only in the shell.
import { t } from '../lib/language.ts';
import { forgetHandedOver, saveToPhone } from '../native/save-to-phone.ts';
import { saveBy } from '../platform/save-file.ts';
import { showToast } from '../ui/toasts.ts';
import { onStatus, sessionStatus } from './state/session-state.ts';

/**
 * Saves files to the phone from now on. Files handed to other apps are removed at the next start
 * and when the session ends, because they belong to no user after that.
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
        showToast({ tone: 'success', text: t('Saved as {name} in Documents/Keyfold', { name }) });
      return place !== 'nowhere';
    } catch {
      showToast({ tone: 'danger', text: t('Couldn’t save the file') });
      return false;
    }
  });
}
