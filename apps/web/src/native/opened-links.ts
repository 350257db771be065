// The addresses that the app is opened with, at start and while it runs. links.ts interprets them.
import { type LinkTarget, readLink } from './links.ts';
import { app, platform } from './plugins.ts';

/**
 * Both the launch URL and the event report the address of a start. A repetition within this time is
 * ignored.
 */
const SAME_MS = 2_000;
/** The address that this run of the app started with. A reloaded page must not follow it again. */
const startKey = 'launch_url';

/**
 * Calls `open` for each valid address. Resolves once the address that the app was started with, if
 * any, was handled.
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
