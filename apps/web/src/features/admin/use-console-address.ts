// The place of the console, live, and the ways to another: so a reload and the back button keep it.
import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { addressOf, type ConsolePlace, type ConsoleTab, placeOf } from './console-address.ts';

/** The address of the console. */
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
    /** Another selection begins with its first page, in one step, and leaves no trace of each letter in the history. */
    select: useCallback(
      (change: Partial<Pick<ConsolePlace, 'filters' | 'isOfAll' | 'search'>>) =>
        go({ ...change, page: 1 }, true),
      [go],
    ),
  };
}
