// Whether the program runs in the shell of a phone. The one file of this room that browsers load: everything else here is
// fetched in the shell alone.

type Shell = { readonly Capacitor?: { readonly isNativePlatform?: () => boolean } };

/** True on Android and iOS, false in every browser. */
export const isNative = (): boolean => (globalThis as Shell).Capacitor?.isNativePlatform?.() === true;
