/**
 * The handler of the call that ends an account.
 */
import type { api, Handlers } from '@keyfold/contract';
import type { Deps } from '../../deps.ts';
import { type RequestContext, sessionOf } from '../../http/context.ts';
import { closeAccount } from './service.ts';

export const closingHandlers = (
  deps: Deps,
): Handlers<Pick<typeof api.account, 'delete_account'>, RequestContext> => ({
  delete_account: async ({ password }, context) => {
    await closeAccount(deps, sessionOf(context).userId, password);
    for (const name of ['session', 'device', 'pending'] as const) context.setCookie({ name, value: null });
    return { data: {} };
  },
});
