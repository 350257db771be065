// The Back button of Android (docs/spec-map.md 2.25): closes what is open over the page, else goes
// back in history, else exits the app. iOS has no such button and sends no event.
import { app } from './plugins.ts';

/** Starts listening. Call once, before the first screen. */
export function followBackButton(): void {
  takeCloseRequests();
  void app.addListener('backButton', ({ canGoBack }) => {
    if (closeLast()) return;
    if (canGoBack) history.back();
    else void app.exitApp();
  });
}

// Mobile browsers send Back to the most recently opened layer through CloseWatcher. A WebView sends
// it to the app first, and some WebViews have no CloseWatcher. This class replaces it: the newest
// watcher is closed first.
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

/** Replaces the WebView's own CloseWatcher. Call before the first screen. */
function takeCloseRequests(): void {
  Object.assign(globalThis, { CloseWatcher: ShellCloseWatcher });
}

/** Closes the most recently opened layer. Returns false when none is open. */
function closeLast(): boolean {
  const last = watchers.at(-1);
  if (last === undefined) return false;
  last.destroy();
  last.onclose?.();
  return true;
}
