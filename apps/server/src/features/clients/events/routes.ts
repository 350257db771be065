/** Handler of contract group `events`. */
import type { api, Handlers } from '@keyfold/contract';
import { type RequestContext, sessionOf } from '../../../context/call-context.ts';
import type { EventHub } from './hub.ts';

export const eventHandlers = (hub: EventHub): Handlers<typeof api.events, RequestContext> => ({
  stream: async (_input, context) => {
    const session = sessionOf(context);
    context.sendEvents(signal => hub.open(session, signal));
    return {};
  },
});
