/** Handlers of the contract group `triage`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { getRules, saveRules } from '../../inbound/filters/index.ts';
import { snoozeMails } from './snooze.ts';
import { clearFlagged, flagMails } from './spam.ts';

export const triageHandlers = (deps: Deps): Handlers<typeof api.triage, RequestContext> => ({
  clear_flagged: async (_input, context) => ({
    data: { updated: await clearFlagged(deps, callerOf(context).userId) },
  }),
  flag: async ({ email_id, value }, context) => ({
    data: { updated: await flagMails(deps, callerOf(context).userId, email_id, value) },
  }),
  snooze: async ({ email_id, until }, context) => ({
    data: {
      updated: await snoozeMails(
        deps,
        callerOf(context).userId,
        email_id,
        until === null ? null : new Date(until),
      ),
    },
  }),
  rules: async (_input, context) => ({ data: await getRules(deps, callerOf(context).userId) }),
  save_rules: async ({ rules }, context) => {
    await saveRules(deps, callerOf(context).userId, rules);
    return { data: {} };
  },
});
