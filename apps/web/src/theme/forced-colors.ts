// Loads the rules for forced colors in the browsers whose system forces them: few people need them, and everyone else would
// wait for them before the first paint.
import { loadAgain } from '../lib/load-again.ts';

/** Loads forced-colors.css now or when the system turns to forced colors. Resolves when what is needed now is there. */
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
