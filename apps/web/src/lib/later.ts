// Time as a hook: whether something has stood for a while, and a clock that ticks.
import { useEffect, useState } from 'react';

/** false at first, true after so many milliseconds. */
export function useLater(ms: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLater;
}

/** The clock, in milliseconds since 1970, once a second. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Seconds that are left until `until` (milliseconds since 1970), live; 0 when it has come. */
export const useCountdown = (until: number): number => Math.max(0, Math.ceil((until - useNow()) / SECOND_MS));

/** Seconds that have gone since `at` (milliseconds since 1970), live; 0 before it. */
export const useSecondsSince = (at: number): number => Math.max(0, Math.floor((useNow() - at) / SECOND_MS));

const SECOND_MS = 1_000;
