// The phone itself: what it reports when it is registered (docs/spec-map.md 3), which identifies no
// individual phone, and the number on the app's icon.
import { badge, device, platform } from './plugins.ts';

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

/**
 * Shows a number on the app's icon; 0 or less shows none. Phones that do not support it, or where
 * it is not allowed, report a failure that has no effect.
 */
export async function showBadge(count: number): Promise<void> {
  const shown = Math.max(0, Math.trunc(count));
  await (shown === 0 ? badge.clear() : badge.set({ count: shown })).catch(() => undefined);
}
