/** Handlers of contract group `contacts`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { getContacts } from '../users/index.ts';
import {
  addByAddress,
  addByCode,
  changeContact,
  createShareCode,
  readShareState,
  removeContact,
} from './service.ts';

export const contactHandlers = (deps: Deps): Handlers<typeof api.contacts, RequestContext> => ({
  list: async (_input, context) => ({ data: await getContacts(deps.db, callerOf(context).userId) }),
  generate: async (_input, context) => ({ data: await createShareCode(deps, callerOf(context).userId) }),
  share_state: async ({ code }, context) => ({
    data: await readShareState(deps, callerOf(context).userId, code),
  }),
  add: async ({ code }, context) => ({ data: await addByCode(deps, callerOf(context).userId, code) }),
  add_unverified: async ({ email }, context) => ({
    data: await addByAddress(deps, callerOf(context).userId, email),
  }),
  change: async (input, context) => ({ data: await changeContact(deps, callerOf(context).userId, input) }),
  remove: async ({ email }, context) => {
    await removeContact(deps, callerOf(context).userId, email);
    return { data: {} };
  },
});
