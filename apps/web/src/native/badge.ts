// The number on the app's icon. Phones that do not support badges, or where they are not allowed,
// report a failure that has no effect.
import { badge } from './plugins.ts';

/** Shows a number; 0 or less shows none. */
export async function showBadge(count: number): Promise<void> {
  const shown = Math.max(0, Math.trunc(count));
  await (shown === 0 ? badge.clear() : badge.set({ count: shown })).catch(() => undefined);
}
