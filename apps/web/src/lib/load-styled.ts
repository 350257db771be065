// Retries loading the style sheet of a lazy part of the app after a broken connection. Vite
// requests a sheet only once: when the part is requested again, it arrives without its styles.

/**
 * Returns the URL of the sheet that failed to load, or null for any other failure. The message is
 * Vite's.
 */
const brokenSheetOf = (cause: unknown): string | null =>
  cause instanceof Error ? (/^Unable to preload CSS for (\S+)$/.exec(cause.message)?.[1] ?? null) : null;

/** Resolves once the sheet applies. Rejects with Vite's message, so that it can be retried. */
function loadSheet(url: string): Promise<void> {
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const broken = sheets.find(({ href }) => href === url);
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.crossOrigin = '';
  link.href = url;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`Unable to preload CSS for ${url}`));
    };
    if (broken === undefined) document.head.append(link);
    else broken.replaceWith(link);
  });
}

/**
 * Wraps the loader of a part with a style sheet: after the sheet has failed, the next call loads
 * the sheet before the part.
 */
export function withSheet<T>(load: () => Promise<T>): () => Promise<T> {
  let broken: string | null = null;
  let mending: Promise<void> | null = null;
  return async () => {
    if (broken !== null) {
      // Concurrent calls wait for the same sheet: a sheet that is replaced while it loads fires no
      // event.
      mending ??= loadSheet(broken).finally(() => {
        mending = null;
      });
      await mending;
      broken = null;
    }
    try {
      return await load();
    } catch (cause) {
      broken = brokenSheetOf(cause) ?? broken;
      throw cause;
    }
  };
}
