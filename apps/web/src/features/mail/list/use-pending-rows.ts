// Rows whose change has waited noticeably long for the server or for a connection. They are shown
// at 60 % opacity (docs/interface.md#states).
import { useMutationState } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { flagChangesKey } from '../state/mail-cache.ts';
import type { ChangeInput } from '../state/mutations.ts';

/** Changes that complete sooner are not shown as pending. */
const SHOWN_AFTER_MS = 600;

/** Returns the ids of these rows. */
export function usePendingRows(): ReadonlySet<string> {
  const waiting = useMutationState({
    filters: { mutationKey: flagChangesKey, status: 'pending' },
    select: ({ state }) => ({
      ids: (state.variables as ChangeInput | undefined)?.ids ?? [],
      at: state.submittedAt,
    }),
  });
  const key = waiting.flatMap(({ ids }) => ids).join();
  const [shown, setShown] = useState<ReadonlySet<string>>(none);
  useEffect(() => {
    if (key === '') {
      setShown(none);
      return;
    }
    const timer = setTimeout(() => setShown(new Set(key.split(','))), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return shown;
}

const none: ReadonlySet<string> = new Set();
