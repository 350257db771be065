/** Handlers for calendar invitations: tokens for guests, and the public answer. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { createTokens, takeAnswer } from './service.ts';

export const calendarHandlers = (deps: Deps): Handlers<typeof api.calendar, RequestContext> => ({
  emailrsvp: async input => ({ data: await takeAnswer(deps, input) }),
  tokens: async (input, context) => ({ data: await createTokens(deps, callerOf(context).userId, input) }),
});
