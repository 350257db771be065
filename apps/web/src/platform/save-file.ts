// Passes a file to the browser for saving, or to a replacement where web views on phones cannot
// save. The name comes from a message, so it is sanitized first.
import { safeFileName } from './safe-file-name.ts';

const RELEASE_MS = 60_000;

/** Saves under a plain name. False when the user canceled or was shown an error. */
export type Saver = (content: Blob, name: string) => Promise<boolean>;

const saveByBrowser: Saver = async (content, name) => {
  // The type would let a browser open the file instead of saving it; a saved file needs none.
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS);
  return true;
};

let saver = saveByBrowser;

/** Replaces the way files are saved. */
export function saveBy(other: Saver): void {
  saver = other;
}

/**
 * Saves a Blob under a name. Resolves once it is saved or the browser has taken over; the caller
 * need not wait.
 */
export const saveFile: Saver = (content, name) => saver(content, safeFileName(name));
