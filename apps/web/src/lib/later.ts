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

/** Seconds that are left until `until` (milliseconds since 1970), live; 0 when it has come. */
export function useCountdown(until: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), secondMs);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((until - now) / secondMs));
}

const secondMs = 1_000;
