// The Back button of Android (docs/spec-map.md 2.25): what is open over the page is closed, else one goes back in history, else
// the program ends. iOS has no such button and sends nothing.
import { app } from './plugins.ts';

/** Begins to listen; once, before the first screen. */
export function followBackButton(): void {
  takeCloseRequests();
  void app.addListener('backButton', ({ canGoBack }) => {
    if (closeLast()) return;
    if (canGoBack) history.back();
    else void app.exitApp();
  });
}

// Browsers on phones hand Back to what was opened last, by CloseWatcher; a WebView gives it to the program first, and some have
// no CloseWatcher. This stands in for it: the newest watcher is closed first.
class ShellCloseWatcher {
  onclose: (() => void) | null = null;
  constructor() {
    watchers.push(this);
  }
  destroy(): void {
    const at = watchers.indexOf(this);
    if (at >= 0) watchers.splice(at, 1);
  }
}

const watchers: ShellCloseWatcher[] = [];

/** Takes the place of the WebView's own; to be called before the first screen. */
function takeCloseRequests(): void {
  Object.assign(globalThis, { CloseWatcher: ShellCloseWatcher });
}

/** Closes what was opened last; false when nothing is open. */
function closeLast(): boolean {
  const last = watchers.at(-1);
  if (last === undefined) return false;
  last.destroy();
  last.onclose?.();
  return true;
}
