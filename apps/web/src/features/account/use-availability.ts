// Whether the address that somebody types at sign-up is free: asked once they pause, each address once, and never in the way
// of signing up, which is told the same at its end.
import { useEffect, useMemo, useRef, useState } from 'react';
import { findUsernameProblem } from '../../session/address-names.ts';
import { enteringClient } from '../../session/entering-client.ts';
import { addressPauseMs } from '../../timing.ts';

export type Availability = 'unknown' | 'checking' | 'free' | 'taken';

/** `ask` is told what is typed; `solution` proves to the server that no robot asks. */
export function useAvailability(solution: () => Promise<string>) {
  const [availability, setAvailability] = useState<Availability>('unknown');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = useMemo(() => {
    const known = new Map<string, Availability>();
    let wanted = '';
    const look = async (username: string, domain: string, address: string) => {
      try {
        const captcha = await solution();
        const { data } = await enteringClient.auth.available({ username, domain, captcha });
        known.set(address, data.available ? 'free' : 'taken');
      } catch {
        // Nothing is known: registering will tell.
      }
      if (wanted === address) setAvailability(known.get(address) ?? 'unknown');
    };
    return (username: string, domain: string) => {
      clearTimeout(timer.current);
      const address = `${username.toLowerCase()}@${domain}`;
      wanted = address;
      if (domain === '' || findUsernameProblem(username) !== null) return setAvailability('unknown');
      const before = known.get(address);
      setAvailability(before ?? 'checking');
      if (before === undefined)
        timer.current = setTimeout(() => void look(username, domain, address), addressPauseMs);
    };
  }, [solution]);
  return { availability, ask };
}
