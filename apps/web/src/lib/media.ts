// The window's width class as a hook, for layouts that differ in more than CSS.
import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds, live. */
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
/** 760 px and less: one pane, bottom bar, drawer. */
export const usePhone = (): boolean => useMedia(phone);
/** The same at this moment, outside of components. */
export const isPhone = (): boolean => matchMedia(phone).matches;
/** A low screen, as at a zoom of 400 %: bars and rows are lower. The variant `short` is the same in CSS. */
export const useLow = (): boolean => useMedia('(max-height: 360px)');
/** 1280 px and more: the sidebar shows its words. */
export const useWide = (): boolean => useMedia('(min-width: 1280px)');
