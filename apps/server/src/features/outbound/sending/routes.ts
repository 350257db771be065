/** Handlers for sending and recalling mail (docs/spec-map.md 7, docs/api-conventions.md#mail). */

import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { unsend } from './hold.ts';
import { sendPrivate } from './service.ts';

export const sendingHandlers = (
  deps: Deps,
): Pick<Handlers<typeof api.sending, RequestContext>, 'send_private' | 'unsend'> => ({
  unsend: async ({ id }, context) => ({
    data: { draft_id: await unsend(deps, callerOf(context).userId, id) },
  }),
  send_private: async (input, context) => ({
    data: await sendPrivate(deps, callerOf(context).userId, input, context.idempotencyKey),
  }),
});
