// Names of devices in lists and notices.
import { t } from '../../lib/language.ts';

type DeviceWords = {
  readonly browser: string | null;
  readonly system: string | null;
};

/** Returns a name such as "Firefox on Linux", or the part of it that is known. */
export function deviceName({ browser, system }: DeviceWords): string {
  if (browser !== null && system !== null) return t('{browser} on {system}', { browser, system });
  return browser ?? system ?? t('Unknown device');
}
