// The Back button of Android (docs/spec-map.md 2.25): what is open over the page is closed, else one goes back in history, else
// the program ends. iOS has no such button and sends nothing.
import { closeLast, takeCloseRequests } from './close-requests.ts';
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
