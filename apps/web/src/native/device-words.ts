// What a phone says of itself where it is registered (docs/spec-map.md 3). Nothing here tells one phone of a kind from
// another.
import { device, platform } from './plugins.ts';

/** Model, and system with its version; empty where the phone does not say. */
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
