// What a phone reports about itself when it is registered (docs/spec-map.md 3). Contains nothing
// that identifies an individual phone.
import { device, platform } from './plugins.ts';

/**
 * Returns the model, and the system with its version; empty where the phone does not report them.
 */
export async function findDeviceWords() {
  const none = { model: '', operatingSystem: '', osVersion: '' };
  const { model, operatingSystem, osVersion } = await device.getInfo().catch(() => none);
  const systems: Readonly<Record<string, string>> = { android: 'Android', ios: 'iOS' };
  return {
    model,
    platform: platform(),
    operatingSystem: systems[operatingSystem] ?? operatingSystem,
    osVersion,
  };
}
