/** Handlers of the endpoints for a user's profile and storage use. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { changeName, getStorageUse } from './service.ts';

type Profile = Pick<typeof api.account, 'change_name' | 'storage'>;

export const profileHandlers = ({ db }: Deps): Handlers<Profile, RequestContext> => ({
  change_name: async ({ name }, context) => {
    await changeName(db, callerOf(context).userId, name);
    return { data: { name } };
  },
  storage: async (_input, context) => ({ data: await getStorageUse(db, callerOf(context).userId) }),
});
