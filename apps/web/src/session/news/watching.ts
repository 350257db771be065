// Whether the page polls for news: it is visible, or may need to notify. Separate from the
// notifier, which is loaded when something arrives.

/** Returns whether the browser lets the page notify. */
export const mayNotify = (): boolean => globalThis.Notification?.permission === 'granted';

export const isWatching = (): boolean => document.visibilityState === 'visible' || mayNotify();
