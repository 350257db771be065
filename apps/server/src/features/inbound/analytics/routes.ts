/** Handlers for the statistics endpoints of contract group `security`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext, sessionOf } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { getSecurityStats } from './service.ts';

export const analyticsHandlers = (
  deps: Deps,
): Handlers<Pick<typeof api.security, 'stats'>, RequestContext> => ({
  stats: async ({ days }, context) => ({
    data: await getSecurityStats(
      deps,
      { userId: callerOf(context).userId, plan: sessionOf(context).plan },
      days,
    ),
  }),
});
