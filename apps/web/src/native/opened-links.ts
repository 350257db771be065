// The addresses that the program is opened with, at its start and while it runs. links.ts says what they mean.
import { type LinkTarget, readLink } from './links.ts';
import { app, platform } from './plugins.ts';

/** Both ways tell of the address that a start came with; a second word of it within this time is the same. */
const SAME_MS = 2_000;
/** The address that this run of the program started with: a page that is loaded anew must not follow it again. */
const startKey = 'launch_url';

/**
 * Calls `open` for each address that means something. Resolves once the one that the program was started with, if any, was
 * handed over.
 */
export async function followLinks(ownHost: string, open: (target: LinkTarget) => void): Promise<void> {
  let last = { text: '', at: 0 };
  const take = (text: string, now: number): void => {
    if (text === last.text && now - last.at < SAME_MS) return;
    last = { text, at: now };
    const target = readLink(text, ownHost, platform() === 'ios');
    if (target !== null) open(target);
  };
  const started = await app.getLaunchUrl().catch(() => undefined);
  const text = started?.url;
  if (text !== undefined && sessionStorage.getItem(startKey) !== text) {
    sessionStorage.setItem(startKey, text);
    take(text, Date.now());
  } else if (text !== undefined) {
    last = { text, at: Date.now() };
  }
  await app.addListener('appUrlOpen', ({ url }) => take(url, Date.now()));
}
