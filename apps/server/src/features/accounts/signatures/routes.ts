/** Handlers of contract group `signatures`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { changeSignature, createSignature, listSignatures, removeSignature } from './service.ts';

export const signatureHandlers = (deps: Deps): Handlers<typeof api.signatures, RequestContext> => ({
  list: async (_input, context) => ({ data: await listSignatures(deps, callerOf(context).userId) }),
  create: async (input, context) => ({
    data: await createSignature(deps, callerOf(context).userId, input),
  }),
  change: async ({ id, ...input }, context) => ({
    data: await changeSignature(deps, callerOf(context).userId, id, input),
  }),
  remove: async ({ id }, context) => {
    await removeSignature(deps, callerOf(context).userId, id);
    return { data: {} };
  },
});
