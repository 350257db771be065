/**
 * The call of contract group `events`.
 */
import type { api, Handlers } from '@keyfold/contract';
import { type RequestContext, sessionOf } from '../../http/context.ts';
import type { EventHub } from './service.ts';

export const eventHandlers = (hub: EventHub): Handlers<typeof api.events, RequestContext> => ({
  stream: async (_input, context) => {
    context.sendEvents(hub.open(sessionOf(context)));
    return {};
  },
});
