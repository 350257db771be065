// Rows whose change waits for the server or for a connection longer than a glance; they are shown at 60 %
// (docs/interface.md#states).
import { useMutationState } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { marksKey } from '../state/mail-cache.ts';
import type { ChangeInput } from '../state/mutations.ts';

/** A change that is answered sooner is not shown as waiting. */
const SHOWN_AFTER_MS = 600;

/** Their ids. */
export function usePendingRows(): ReadonlySet<string> {
  const waiting = useMutationState({
    filters: { mutationKey: marksKey, status: 'pending' },
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
