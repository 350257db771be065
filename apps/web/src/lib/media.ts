// Width class of the window as a hook, for layouts that differ in more than CSS.
import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query matches, live. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

const phone = '(max-width: 760px)';
/** 760 px or less: one pane, bottom bar, drawer. */
export const usePhone = (): boolean => useMedia(phone);
/** The same at call time, for use outside components. */
export const isPhone = (): boolean => matchMedia(phone).matches;
/**
 * A low screen, for example at 400 % zoom: bars and rows are lower. The CSS variant `short` has the
 * same condition.
 */
export const useLow = (): boolean => useMedia('(max-height: 360px)');
/** 1280 px or more: the sidebar shows its labels. */
export const useWide = (): boolean => useMedia('(min-width: 1280px)');
