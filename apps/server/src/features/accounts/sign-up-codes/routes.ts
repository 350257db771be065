/** Handlers of the operator's endpoints for sign-up codes. */
import type { api, Handlers } from '@keyfold/contract';
import { type RequestContext, sessionOf } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import {
  createInvitation,
  findAffiliates,
  findInvitations,
  removeInvitation,
  signupDomainsOf,
} from './service.ts';

const actorOf = (context: RequestContext) => ({ kind: 'admin', userId: sessionOf(context).userId }) as const;

export const signUpCodeHandlers = (deps: Deps): Handlers<typeof api.sign_up_codes, RequestContext> => ({
  list: async () => {
    const [invitations, affiliates] = [await findInvitations(deps.db), await findAffiliates(deps.db)];
    return {
      data: {
        invitation_needed: deps.config.isInvitationNeeded,
        domains: [...signupDomainsOf(deps.config)],
        invitations: invitations.map(row => ({
          ...row,
          expires_at: row.expires_at?.toISOString() ?? null,
          created_at: row.created_at.toISOString(),
        })),
        affiliates: affiliates.map(row => ({ ...row, created_at: row.created_at.toISOString() })),
      },
    };
  },
  create_invitation: async ({ uses, days, note }, context) => {
    const { id, code, expiresAt } = await createInvitation(deps, actorOf(context), { uses, days, note });
    return { data: { id, code, expires_at: expiresAt?.toISOString() ?? null } };
  },
  remove_invitation: async ({ id }, context) => {
    await removeInvitation(deps, actorOf(context), id);
    return { data: {} };
  },
});
