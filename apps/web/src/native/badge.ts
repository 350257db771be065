// The number on the program's icon. Phones that show none, or were not allowed to, answer with a failure that changes nothing.
import { badge } from './plugins.ts';

/** Shows a number, 0 for none; never less. */
export async function showBadge(count: number): Promise<void> {
  const shown = Math.max(0, Math.trunc(count));
  await (shown === 0 ? badge.clear() : badge.set({ count: shown })).catch(() => undefined);
}
