// Tells the service worker which language this device uses, so that it caches the texts of that
// language in its own version and in one that is waiting (service-worker-language.ts).
import { languageChoice, resolveLanguage } from '../lib/language-choice.ts';

/** Named as in service-worker-language.ts. */
const languageCache = 'page-language';
const languageFile = '/page-language';

/**
 * Stores the chosen language, and has it cached where a service worker is registered. Never fails:
 * a browser that stores nothing has nothing to read offline.
 */
export async function keepLanguageOffline(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    const language = resolveLanguage(languageChoice(), navigator.languages);
    await (await caches.open(languageCache)).put(languageFile, new Response(language));
    const registration = await navigator.serviceWorker.getRegistration();
    for (const worker of [registration?.active, registration?.waiting, registration?.installing])
      worker?.postMessage('language');
  } catch {
    // Storage is blocked.
  }
}
