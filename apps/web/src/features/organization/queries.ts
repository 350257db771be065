// The user's organization: reads it, its members and domains, and the calls that change them.
// Changes can add or remove addresses, so the user is also refetched after a change.
import type { ConnectedDomain, Organization, OrganizationMember } from '@keyfold/contract';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { authClient } from '../../session/calls/clients/auth.ts';
import { organizationClient } from '../../session/calls/clients/organization.ts';
import { signUpClient } from '../../session/calls/clients/sign-up.ts';
import { setUser } from '../../session/state/current-user.ts';

const root = 'organization';
/** Provides the user's role (null for users without an organization) and its permissions, live. */
export const usePermissions = () =>
  useQuery({
    queryKey: [root, 'permissions'],
    queryFn: async () => (await organizationClient.permissions({})).data,
  });

/** Provides the user's organization. */
export const useOrganization = () =>
  useQuery({
    queryKey: [root, 'itself'],
    queryFn: async (): Promise<Organization> => (await organizationClient.get({})).data,
  });

/** Provides the members and, for owners and admins, the invitations. */
export const useMembers = () =>
  useQuery({
    queryKey: [root, 'members'],
    queryFn: async (): Promise<OrganizationMember[]> => (await organizationClient.members({})).data,
  });

/** Provides the domains at which members have addresses. */
export const useConnectedDomains = () =>
  useQuery({
    queryKey: [root, 'connected'],
    queryFn: async (): Promise<ConnectedDomain[]> => (await organizationClient.connected({})).data,
  });

/** Provides the user's own domains that can be connected; for owners and admins. */
export const useAvailableDomains = () =>
  useQuery({
    queryKey: [root, 'available'],
    queryFn: async () => (await organizationClient.available({})).data.map(({ domain }) => domain),
  });

/** Number of entries per request. */
const LOG_COUNT = 10;

/** Provides the organization's log, page by page; for owners and admins. */
export const useOrganizationLog = () =>
  useInfiniteQuery({
    queryKey: [root, 'log'],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam: before }) =>
      (await organizationClient.log({ count: LOG_COUNT, ...(before === undefined ? {} : { before }) })).data,
    getNextPageParam: last => (last.has_more ? Number(last.entries.at(-1)?.id) : undefined),
  });

/**
 * Runs a change of the organization. The shown data is refetched whether or not the change
 * succeeds.
 */
export function useOrganizationChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([
        authClient.check({}).then(({ data }) => setUser(data)),
        ...[[root], ['addresses'], ['address-capabilities'], ['domains']].map(queryKey =>
          cache.invalidateQueries({ queryKey }),
        ),
        // The refetch is a convenience: its failure must not make a successful change look failed.
      ]).catch(() => undefined),
  });
}

/** Provides the service's own domains that an invitation can use. */
export const useInviteDomains = () =>
  useQuery({
    queryKey: ['signup-domains'],
    queryFn: async () => (await signUpClient.domains({})).data,
  });
