/**
 * Handlers of the contract group `rules`, and for the spam filter and sender list endpoints of
 * group `security`.
 */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { getRules, saveRules } from './rules.ts';
import { blockSender, getSettings, saveSettings } from './settings.ts';

export const filterHandlers = (
  deps: Deps,
): Handlers<Pick<typeof api.security, 'settings' | 'save_settings' | 'block'>, RequestContext> => ({
  settings: async (_input, context) => ({ data: await getSettings(deps, callerOf(context).userId) }),
  save_settings: async (input, context) => ({
    data: await saveSettings(deps, callerOf(context).userId, input),
  }),
  block: async ({ sender, value }, context) => ({
    data: await blockSender(deps, callerOf(context).userId, sender, value),
  }),
});

export const rulesHandlers = (deps: Deps): Handlers<typeof api.rules, RequestContext> => ({
  list: async (_input, context) => ({ data: await getRules(deps, callerOf(context).userId) }),
  save: async ({ rules }, context) => {
    await saveRules(deps, callerOf(context).userId, rules);
    return { data: {} };
  },
});
