// Loads the forced-colors rules only in browsers whose system forces colors: few users need them,
// and they would delay the first paint for everyone else.
import { loadAgain } from '../lib/load-again.ts';

/**
 * Loads forced-colors.css now or when the system switches to forced colors. Resolves when the rules
 * needed now are loaded.
 */
export async function startForcedColors(): Promise<void> {
  const forced = matchMedia('(forced-colors: active)');
  const load = async (): Promise<void> => {
    if (!forced.matches) return;
    // Without them the client is harder to read, but works.
    await loadAgain(() => import('./forced-colors.css')).catch(() => undefined);
  };
  forced.addEventListener('change', () => void load());
  await load();
}
