/** Handlers for the plan and payment endpoints. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { cancel, getStatus, openPortal, receiveEvent, resume, upgrade } from './service.ts';

export const billingHandlers = (deps: Deps): Handlers<typeof api.billing, RequestContext> => ({
  status: async (_input, context) => ({ data: await getStatus(deps, callerOf(context).userId) }),
  upgrade: async (order, context) => ({
    data: { url: await upgrade(deps, callerOf(context).userId, order) },
  }),
  portal: async (_input, context) => ({
    data: { url: await openPortal(deps, callerOf(context).userId) },
  }),
  cancel: async (_input, context) => {
    const endsAt = await cancel(deps, callerOf(context).userId);
    return { data: { ends_at: endsAt?.toISOString() ?? null } };
  },
  resume: async (_input, context) => {
    await resume(deps, callerOf(context).userId);
    return { data: {} };
  },
  webhook: async (_input, context) => {
    await receiveEvent(deps, context.signedBody);
    return { data: {} };
  },
});
