// Caches the texts of the language in use, so that the app speaks it offline. A page stores its
// language here (platform/offline-language.ts); the catalogs of other languages are not cached in
// advance. Runs only in the service worker.

/** Stores the language of this device's pages. */
const languageCache = 'page-language';
const languageFile = '/page-language';

/** Returns the language that a page stored last; empty before the first one. */
async function readLanguage(): Promise<string> {
  const kept = await caches.match(languageFile, { cacheName: languageCache });
  return (await kept?.text()) ?? '';
}

/**
 * Caches the catalog of the stored language with `keep`, unless `cache` has it. Does nothing for
 * English, which has no catalog. @throws when it cannot be fetched.
 */
export async function keepCatalog(
  cache: Cache,
  catalogs: Readonly<Record<string, string>>,
  keep: (cache: Cache, file: string) => Promise<void>,
): Promise<void> {
  const file = new Map(Object.entries(catalogs)).get(await readLanguage());
  if (file === undefined || (await cache.match(file)) !== undefined) return;
  await keep(cache, file);
}
