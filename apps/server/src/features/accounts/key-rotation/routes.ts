/** Handlers of contract group `key_rotation`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext, sessionOf } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { proverOf } from '../second-factor/index.ts';

import { destroyKeys, listOldWraps, listRetired, rotateKeys } from './service.ts';

export const keyRotationHandlers = (deps: Deps): Handlers<typeof api.key_rotation, RequestContext> => ({
  rotate: async (input, context) => ({ data: await rotateKeys(deps, sessionOf(context), input, context) }),
  retired: async (_input, context) => ({ data: await listRetired(deps, callerOf(context).userId) }),
  wraps: async (input, context) => ({ data: await listOldWraps(deps, callerOf(context).userId, input) }),
  destroy: async (input, context) => ({
    data: { remaining: await destroyKeys(deps, proverOf(sessionOf(context), context), input) },
  }),
});
