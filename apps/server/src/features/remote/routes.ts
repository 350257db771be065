/**
 * The calls of contract group `remote`.
 */
import type { api, Handlers } from '@keyfold/contract';
import type { Deps } from '../../deps.ts';
import { callerOf, type RequestContext } from '../../http/context.ts';
import { createRemote } from './service.ts';

export const remoteHandlers = (deps: Deps): Handlers<typeof api.remote, RequestContext> => {
  const remote = createRemote(deps);
  return {
    image: async ({ url }, context) => {
      context.sendFile(await remote.fetchImage(callerOf(context).userId, url));
      return {};
    },
    unsubscribe: async ({ email_id, url }, context) => {
      await remote.unsubscribe(callerOf(context).userId, email_id, url);
      return { data: {} };
    },
  };
};
