// What a device is called in lists and notices.
import { t } from '../../lib/language.ts';

type DeviceWords = {
  readonly browser: string | null;
  readonly system: string | null;
};

/** "Firefox on Linux", or as much of it as is known. */
export function deviceName({ browser, system }: DeviceWords): string {
  if (browser !== null && system !== null) return t('{browser} on {system}', { browser, system });
  return browser ?? system ?? t('Unknown device');
}
