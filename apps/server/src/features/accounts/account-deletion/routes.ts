/** The handler of the endpoint that deletes an account. */
import type { api, Handlers } from '@keyfold/contract';
import { type RequestContext, sessionOf } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { proverOf } from '../second-factor/index.ts';

import { type AccountEnd, closeAccount } from './service.ts';

export const closingHandlers = (
  deps: Deps & AccountEnd,
): Handlers<Pick<typeof api.account, 'delete_account'>, RequestContext> => ({
  delete_account: async (input, context) => {
    await closeAccount(deps, proverOf(sessionOf(context), context), input);
    for (const name of ['session', 'device', 'pending'] as const) context.setCookie({ name, value: null });
    return { data: {} };
  },
});
