/**
 * The handler of the call that ends an account.
 */
import type { api, Handlers } from '@keyfold/contract';
import { type RequestContext, sessionOf } from '../../../base/call-context.ts';
import type { Deps } from '../../../base/deps.ts';
import { proverOf } from '../auth/service.ts';
import { closeAccount } from './service.ts';

export const closingHandlers = (
  deps: Deps,
): Handlers<Pick<typeof api.account, 'delete_account'>, RequestContext> => ({
  delete_account: async (input, context) => {
    await closeAccount(deps, proverOf(sessionOf(context), context), input);
    for (const name of ['session', 'device', 'pending'] as const) context.setCookie({ name, value: null });
    return { data: {} };
  },
});
