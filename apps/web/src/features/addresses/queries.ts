// Queries and mutations for a user's addresses and domains. After a change the user is fetched
// again, because the composer and the reader take addresses from there.
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

/** Returns all addresses, the main one first, live. */
export const useAddresses = () =>
  useQuery({
    queryKey: addressesKey,
    queryFn: async (): Promise<OwnAddress[]> => (await addressesClient.list({})).data,
  });

/** Returns the number of additional addresses and the limit. */
export const useAddressCapabilities = () =>
  useQuery({
    queryKey: capabilitiesKey,
    queryFn: async () => (await addressesClient.capabilities({})).data,
  });

/** Returns all domains as of their last DNS check, live. */
export const useDomains = () =>
  useQuery({
    queryKey: domainsKey,
    queryFn: async (): Promise<DomainInfo[]> => (await domainsClient.list({})).data,
  });

/** Returns one domain as of its last DNS check; null when it does not exist. */
export const useDomain = (domain: string) =>
  useQuery({
    queryKey: domainKey(domain),
    queryFn: async (): Promise<DomainInfo> => (await domainsClient.info({ domain })).data,
  });

/**
 * Checks the DNS of a domain twice a minute while its page is open, until everything is correct.
 */
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

/**
 * Runs a change of addresses or domains, and refetches the displayed data whether it succeeds or
 * not.
 */
export function useAddressChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    // A failed refresh must not make a successful change look failed.
    onSettled: () => refreshAfterChange(cache).catch(() => undefined),
  });
}
