// The console's state in the URL, live, and functions to change it: a reload and the back button
// keep it.
import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { addressOf, type ConsolePlace, type ConsoleTab, placeOf } from './console-address.ts';

/** Returns the state and its setters. */
export function useConsoleAddress() {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const place = useMemo(() => placeOf(new URLSearchParams(search), hash), [search, hash]);
  const go = useCallback(
    (change: Partial<ConsolePlace>, replace = false) =>
      void navigate(addressOf({ ...place, ...change }), { replace }),
    [place, navigate],
  );
  return {
    ...place,
    openTab: (tab: ConsoleTab) => go({ tab }),
    openPage: (page: number) => go({ page }),
    /**
     * A new selection starts on page 1 in the same navigation, and keystrokes leave no history
     * entries.
     */
    select: useCallback(
      (change: Partial<Pick<ConsolePlace, 'filters' | 'isOfAll' | 'search'>>) =>
        go({ ...change, page: 1 }, true),
      [go],
    ),
  };
}
