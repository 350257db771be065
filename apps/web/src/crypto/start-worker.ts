// Starts our own workers from bundles beside this page.
import { scriptUrl } from '../lib/script-url.ts';

/** Starts the module worker at an address that the build made. */
export const startWorker = (url: string, name: string): Worker =>
  new Worker(scriptUrl(url), { type: 'module', name });
