/** Handlers of the contract group `tags`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { removeTag, renameTag, saveTag, tagMails } from './service.ts';

export const tagHandlers = (deps: Deps): Handlers<typeof api.tags, RequestContext> => ({
  save: async ({ tag }, context) => ({ data: await saveTag(deps, callerOf(context).userId, tag) }),
  rename: async ({ name, tag }, context) => ({
    data: await renameTag(deps, callerOf(context).userId, name, tag),
  }),
  remove: async ({ name }, context) => ({
    data: { updated: await removeTag(deps, callerOf(context).userId, name) },
  }),
  tag_email: async ({ email_id, tags }, context) => ({
    data: { updated: await tagMails(deps, callerOf(context).userId, email_id, tags) },
  }),
});
