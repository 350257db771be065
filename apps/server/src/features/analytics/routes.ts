/**
 * The calls of contract group `security` about numbers.
 */
import type { api, Handlers } from '@keyfold/contract';
import type { Deps } from '../../deps.ts';
import { callerOf, type RequestContext, sessionOf } from '../../http/context.ts';
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
