/**
 * The calls of contract group `key_log`.
 */
import type { api, Handlers } from '@keyfold/contract';
import type { Deps } from '../../deps.ts';
import { callerOf, type RequestContext } from '../../http/context.ts';
import { historyOf, proveGrowth } from './service.ts';

export const keyLogHandlers = (deps: Deps): Handlers<typeof api.key_log, RequestContext> => ({
  growth: async ({ from, to }) => ({ data: { path: await proveGrowth(deps, from, to) } }),
  history: async ({ address }, context) => ({
    data: await historyOf(deps, callerOf(context).userId, address),
  }),
});
