// Time as hooks: a delay, and a ticking clock.
import { useEffect, useState } from 'react';

/** Returns false at first and true after `ms` milliseconds. */
export function useLater(ms: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLater;
}

/** Returns the time in milliseconds since 1970, updated once per second. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Returns the seconds left until `until` (milliseconds since 1970), live; 0 once it has passed. */
export const useCountdown = (until: number): number => Math.max(0, Math.ceil((until - useNow()) / SECOND_MS));

/** Returns the seconds since `at` (milliseconds since 1970), live; 0 before it. */
export const useSecondsSince = (at: number): number => Math.max(0, Math.floor((useNow() - at) / SECOND_MS));

const SECOND_MS = 1_000;
