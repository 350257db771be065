// Whether the page asks for news: it is seen, or there may be something to notify of. Apart from what is notified of, which
// is fetched when something came.

/** Whether the browser lets the page notify. */
export const mayNotify = (): boolean => globalThis.Notification?.permission === 'granted';

export const isWatching = (): boolean => document.visibilityState === 'visible' || mayNotify();
