// Checks whether the address typed at sign-up is free: after a pause in typing, once per address.
// Never blocks sign-up, which reports the same at the end.
import { CallError } from '@keyfold/contract/client';
import { useEffect, useMemo, useRef, useState } from 'react';
import { signUpClient } from '../../session/calls/clients/sign-up.ts';
import { findUsernameProblem } from '../../session/sign-in/address-names.ts';
import { ADDRESS_PAUSE_MS } from '../../timing.ts';

export type Availability = 'unknown' | 'checking' | 'free' | 'taken';

/** Proof of work for the server; `renew` starts another one when one is refused. */
type Proof = { readonly solution: () => Promise<string>; readonly renew: (refused: Promise<string>) => void };

/** Call `ask` with the current input. */
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
        // The availability is unknown; registration reports it.
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
