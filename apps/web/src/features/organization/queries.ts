// The user's organisation: reading it, its members and domains, and the calls that change them. Addresses come and go with it,
// so after a change the user is asked for anew as well.
import type { ConnectedDomain, Organization, OrganizationMember } from '@keyfold/contract';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { authClient } from '../../session/calls/clients/auth.ts';
import { organizationClient } from '../../session/calls/clients/organization.ts';
import { signUpClient } from '../../session/calls/clients/sign-up.ts';
import { setUser } from '../../session/state/current-user.ts';

const root = 'organisation';
/** The user's role, null for who is in none, and what it allows; live. */
export const usePermissions = () =>
  useQuery({
    queryKey: [root, 'permissions'],
    queryFn: async () => (await organizationClient.permissions({})).data,
  });

/** The organisation of who is in one. */
export const useOrganization = () =>
  useQuery({
    queryKey: [root, 'itself'],
    queryFn: async (): Promise<Organization> => (await organizationClient.get({})).data,
  });

/** Its members, and for owners and admins the invitations. */
export const useMembers = () =>
  useQuery({
    queryKey: [root, 'members'],
    queryFn: async (): Promise<OrganizationMember[]> => (await organizationClient.members({})).data,
  });

/** Domains at which members have addresses. */
export const useConnectedDomains = () =>
  useQuery({
    queryKey: [root, 'connected'],
    queryFn: async (): Promise<ConnectedDomain[]> => (await organizationClient.connected({})).data,
  });

/** The user's own domains that could be connected; for owners and admins. */
export const useAvailableDomains = () =>
  useQuery({
    queryKey: [root, 'available'],
    queryFn: async () => (await organizationClient.available({})).data.map(({ domain }) => domain),
  });

/** Entries that are asked for at a time. */
const LOG_COUNT = 10;

/** What was done in it, page by page; for owners and admins. */
export const useOrganizationLog = () =>
  useInfiniteQuery({
    queryKey: [root, 'log'],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam: before }) =>
      (await organizationClient.log({ count: LOG_COUNT, ...(before === undefined ? {} : { before }) })).data,
    getNextPageParam: last => (last.has_more ? Number(last.entries.at(-1)?.id) : undefined),
  });

/** A change of the organisation: whatever came of it, what is shown is fetched anew. */
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
        // Shown states are a convenience: a change that was made is not undone by a failed look.
      ]).catch(() => undefined),
  });
}

/** The service's own domains that an invitation can be for. */
export const useInviteDomains = () =>
  useQuery({
    queryKey: ['signup-domains'],
    queryFn: async () => (await signUpClient.domains({})).data,
  });
