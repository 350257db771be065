// Whether the address that somebody types at sign-up is free: asked once they pause, each address once, and never in the way
// of signing up, which is told the same at its end.
import { CallError } from '@keyfold/contract/client';
import { useEffect, useMemo, useRef, useState } from 'react';
import { signUpClient } from '../../session/calls/clients/sign-up.ts';
import { findUsernameProblem } from '../../session/sign-in/address-names.ts';
import { ADDRESS_PAUSE_MS } from '../../timing.ts';

export type Availability = 'unknown' | 'checking' | 'free' | 'taken';

/** What proves to the server that no robot asks; `renew` begins another one in place of one that it takes no more. */
type Proof = { readonly solution: () => Promise<string>; readonly renew: (refused: Promise<string>) => void };

/** `ask` is told what is typed. */
export function useAvailability({ solution, renew }: Proof) {
  const [availability, setAvailability] = useState<Availability>('unknown');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = useMemo(() => {
    const known = new Map<string, Availability>();
    let wanted = '';
    const look = async (username: string, domain: string, address: string) => {
      const proof = solution();
      try {
        const { data } = await signUpClient.available({ username, domain, captcha: await proof });
        known.set(address, data.available ? 'free' : 'taken');
      } catch (error) {
        // Nothing is known: registering will tell.
        if (error instanceof CallError && error.code === 'captcha_refused') renew(proof);
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
        timer.current = setTimeout(() => void look(username, domain, address), ADDRESS_PAUSE_MS);
    };
  }, [solution, renew]);
  return { availability, ask };
}
