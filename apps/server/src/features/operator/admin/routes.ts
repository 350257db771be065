/** Handlers for the admin console endpoints. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { describeHold } from '../../outbound/send-watch/index.ts';
import { readAudit } from '../../support/audit/index.ts';
import { getStatistics } from '../../support/statistics/index.ts';
import { changeLevel, choosePlan, releaseMail, suspend, unsuspend } from './actions.ts';
import { listUsers } from './service.ts';

export const adminHandlers = (deps: Deps): Handlers<typeof api.admin, RequestContext> => ({
  stats: async () => ({ data: await getStatistics(deps.db, deps.clock.now()) }),
  users: async input => ({ data: await listUsers(deps, input) }),
  mail_hold: async ({ user_id }) => ({ data: { hold: await describeHold(deps, user_id) } }),
  audit: async input => ({ data: await readAudit(deps.db, input) }),
  grant_admin: async ({ user_email, admin_level }, context) => ({
    data: await changeLevel(deps, callerOf(context).userId, user_email, admin_level),
  }),
  revoke_admin: async ({ user_email }, context) => ({
    data: await changeLevel(deps, callerOf(context).userId, user_email, null),
  }),
  suspend_user: async (input, context) => ({ data: await suspend(deps, callerOf(context).userId, input) }),
  unsuspend_user: async ({ user_email }, context) => ({
    data: await unsuspend(deps, callerOf(context).userId, user_email),
  }),
  release_mail: async ({ user_email }, context) => ({
    data: { released: await releaseMail(deps, callerOf(context).userId, user_email) },
  }),
  set_plan: async ({ plan, user_email }, context) => ({
    data: await choosePlan(deps, callerOf(context).userId, user_email, plan),
  }),
});
