// Hands a file to the browser to be saved, or to what saves in its place: the web views of phones save nothing. The name
// comes from a mail, so anything but a plain name is taken out of it.
import { safeFileName } from './safe-file-name.ts';

const RELEASE_MS = 60_000;

/** Saves under a plain name. False when the person thought better of it, or was told that it failed. */
export type Saver = (content: Blob, name: string) => Promise<boolean>;

const saveByBrowser: Saver = async (content, name) => {
  // The type is what lets a browser open instead of save; a saved file needs none.
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS);
  return true;
};

let saver = saveByBrowser;

/** Has files saved in another way from now on. */
export function saveBy(other: Saver): void {
  saver = other;
}

/** Saves a Blob under a name. Resolves once it is saved, or the browser has it; the caller need not wait for that. */
export const saveFile: Saver = (content, name) => saver(content, safeFileName(name));
