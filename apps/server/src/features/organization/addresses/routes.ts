/** Handlers for the endpoints of contract group `addresses`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import {
  changeAddress,
  createAddress,
  getCapabilities,
  listAddresses,
  removeAddress,
  rotateAddress,
} from './service.ts';

export const addressHandlers = (deps: Deps): Handlers<typeof api.addresses, RequestContext> => ({
  list: async (_input, context) => ({ data: await listAddresses(deps, callerOf(context).userId) }),
  create: async ({ address }, context) => ({
    data: { address: await createAddress(deps, callerOf(context).userId, address) },
  }),
  change: async (input, context) => ({ data: await changeAddress(deps, callerOf(context).userId, input) }),
  remove: async ({ address }, context) => {
    await removeAddress(deps, callerOf(context).userId, address);
    return { data: {} };
  },
  rotate: async ({ address }, context) => ({
    data: { address: await rotateAddress(deps, callerOf(context).userId, address) },
  }),
  capabilities: async (_input, context) => ({ data: await getCapabilities(deps, callerOf(context).userId) }),
});
