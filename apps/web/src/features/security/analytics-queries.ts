// Reads the numbers of the security analytics.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { securityClient } from '../../session/calls/clients/security.ts';

/** The numbers of the last days; those of another period stand until they are there. A plan without them is refused with 403, which is no trouble that passes. */
export const useSecurityStats = (days: number) =>
  useQuery({
    queryKey: ['security-stats', days],
    queryFn: async () => (await securityClient.stats({ days })).data,
    placeholderData: keepPreviousData,
  });
