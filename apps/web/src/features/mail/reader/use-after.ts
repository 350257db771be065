// True once a part has been on the screen for a while: for things that only a slow answer should show.
import { useEffect, useState } from 'react';

/** Whether `waitMs` milliseconds have passed since the part that asks was first drawn. */
export function useAfter(waitMs: number): boolean {
  const [isPast, setPast] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPast(true), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);
  return isPast;
}
