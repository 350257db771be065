/** Handlers for the endpoints of contract group `remote`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { createRemote } from './service.ts';

export function remoteContentHandlers(deps: Deps): Handlers<typeof api.remote_content, RequestContext> {
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
}
