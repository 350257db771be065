// Asks again for the style sheet of a lazy part of the program whose connection broke. Vite asks for a sheet once: when the part is
// asked for again, it comes without what it looks like.

/** The address of the sheet that did not come; null when something else failed. The words are Vite's. */
const brokenSheetOf = (cause: unknown): string | null =>
  cause instanceof Error ? (/^Unable to preload CSS for (\S+)$/.exec(cause.message)?.[1] ?? null) : null;

/** Resolves once the sheet applies. Rejects as Vite does, so that it can be asked for once more. */
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

/** A loader of a part with a style sheet: after a failure of the sheet, the next call brings it before the part. */
export function withSheet<T>(load: () => Promise<T>): () => Promise<T> {
  let broken: string | null = null;
  let mending: Promise<void> | null = null;
  return async () => {
    if (broken !== null) {
      // Whoever asks meanwhile waits for the same sheet: one that is replaced while it loads tells nobody.
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
