// Whether the app runs in the shell of a phone. This is the only file of this directory that
// browsers load; all others are fetched only in the shell.

type Shell = { readonly Capacitor?: { readonly isNativePlatform?: () => boolean } };

/** true on Android and iOS, false in every browser. */
export const isNative = (): boolean => (globalThis as Shell).Capacitor?.isNativePlatform?.() === true;
