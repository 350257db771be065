// A user's addresses and domains: reading them, and the calls that change them. After a change the user is asked for anew,
// since the composer and the reader show addresses from there.
import type { DomainInfo, OwnAddress } from '@keyfold/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { addressesClient } from '../../session/calls/clients/addresses.ts';
import { authClient } from '../../session/calls/clients/auth.ts';
import { domainsClient } from '../../session/calls/clients/domains.ts';
import { setUser } from '../../session/state/current-user.ts';
import { DOMAIN_POLL_MS } from '../../timing.ts';

const addressesKey = ['addresses'] as const;
const capabilitiesKey = ['address-capabilities'] as const;
const domainsKey = ['domains'] as const;
const domainKey = (domain: string) => ['domain', domain] as const;

/** All addresses, the main one first, live. */
export const useAddresses = () =>
  useQuery({
    queryKey: addressesKey,
    queryFn: async (): Promise<OwnAddress[]> => (await addressesClient.list({})).data,
  });

/** How many further addresses there are and may be. */
export const useAddressCapabilities = () =>
  useQuery({
    queryKey: capabilitiesKey,
    queryFn: async () => (await addressesClient.capabilities({})).data,
  });

/** All domains as the last look found them, live. */
export const useDomains = () =>
  useQuery({
    queryKey: domainsKey,
    queryFn: async (): Promise<DomainInfo[]> => (await domainsClient.list({})).data,
  });

/** One domain as the last look found it; null when it is not there. */
export const useDomain = (domain: string) =>
  useQuery({
    queryKey: domainKey(domain),
    queryFn: async (): Promise<DomainInfo> => (await domainsClient.info({ domain })).data,
  });

/** Asks DNS about a domain for as long as its page is open, twice a minute, until all is in order. */
export function useDomainLooks(domain: string) {
  const cache = useQueryClient();
  return useQuery({
    queryKey: ['domain-look', domain],
    queryFn: async (): Promise<DomainInfo> => {
      const before = cache.getQueryData<DomainInfo>(domainKey(domain));
      const { data } = await domainsClient.health({ domain });
      cache.setQueryData(domainKey(domain), data);
      void cache.invalidateQueries({ queryKey: domainsKey });
      if (data.verified !== before?.verified) await refreshAfterChange(cache);
      return data;
    },
    refetchInterval: query => (query.state.data?.healthy === true ? false : DOMAIN_POLL_MS),
    gcTime: 0,
  });
}

async function refreshAfterChange(cache: ReturnType<typeof useQueryClient>): Promise<void> {
  const [{ data }] = await Promise.all([
    authClient.check({}),
    ...[addressesKey, capabilitiesKey, domainsKey, ['domain']].map(queryKey =>
      cache.invalidateQueries({ queryKey }),
    ),
  ]);
  setUser(data);
}

/** A change of addresses or domains: whatever came of it, what is shown is fetched anew. */
export function useAddressChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Shown states are a convenience: a change that was made is not undone by a failed look.
    onSettled: () => refreshAfterChange(cache).catch(() => undefined),
  });
}
