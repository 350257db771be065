/** Handlers of contract group `key_log`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { historyOf, proveGrowth } from './service.ts';

export const keyLogHandlers = (deps: Deps): Handlers<typeof api.key_log, RequestContext> => ({
  growth: async ({ from, to }) => ({ data: { path: await proveGrowth(deps, from, to) } }),
  history: async ({ address }, context) => ({
    data: await historyOf(deps, callerOf(context).userId, address),
  }),
});
