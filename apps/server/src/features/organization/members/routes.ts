/** Handlers for contract groups `organization` and `joining`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { getInvitation, isAtConnection } from '../../accounts/memberships/index.ts';
import { connect, disconnect, listAvailable, listConnected } from './domains.ts';
import { listLog } from './log.ts';
import { changeRole, invite, listUsers, removeUser } from './members.ts';
import { beginReset, finishReset, lookAtReset } from './resets.ts';
import {
  changeName,
  createOrganization,
  getOrganization,
  getPermissions,
  joinOrganization,
  removeOrganization,
} from './service.ts';

export const organizationHandlers = (deps: Deps): Handlers<typeof api.organization, RequestContext> => ({
  create: async ({ name }, context) => ({
    data: await createOrganization(deps, callerOf(context).userId, name),
  }),
  get: async (_input, context) => ({ data: await getOrganization(deps, callerOf(context).userId) }),
  update: async ({ name }, context) => ({ data: await changeName(deps, callerOf(context).userId, name) }),
  remove: async (_input, context) => {
    await removeOrganization(deps, callerOf(context).userId);
    return { data: {} };
  },
  join: async ({ invite: secret }, context) => ({
    data: await joinOrganization(deps, callerOf(context).userId, secret),
  }),
  invite: async (input, context) => ({ data: await invite(deps, callerOf(context).userId, input) }),
  members: async (_input, context) => ({ data: await listUsers(deps, callerOf(context).userId) }),
  remove_member: async ({ user_id }, context) => {
    await removeUser(deps, callerOf(context).userId, user_id);
    return { data: {} };
  },
  set_role: async (input, context) => ({ data: await changeRole(deps, callerOf(context).userId, input) }),
  reset_password: async ({ user_id }, context) => ({
    data: await beginReset(deps, callerOf(context).userId, user_id),
  }),
  connect: async ({ domain }, context) => ({ data: await connect(deps, callerOf(context).userId, domain) }),
  disconnect: async ({ domain }, context) => {
    await disconnect(deps, callerOf(context).userId, domain);
    return { data: {} };
  },
  available: async (_input, context) => ({ data: await listAvailable(deps, callerOf(context).userId) }),
  connected: async (_input, context) => ({ data: await listConnected(deps, callerOf(context).userId) }),
  log: async (input, context) => ({ data: await listLog(deps, callerOf(context).userId, input) }),
  permissions: async (_input, context) => ({ data: await getPermissions(deps, callerOf(context).userId) }),
});

export const joiningHandlers = (deps: Deps): Handlers<typeof api.joining, RequestContext> => ({
  invitation: async ({ invite: secret }) => {
    const found = await getInvitation(deps.db, secret, deps.clock.now());
    const { address, expires_at, name, organization, role } = found;
    const at = address.lastIndexOf('@');
    return {
      data: {
        organization,
        name,
        username: address.slice(0, at),
        domain: address.slice(at + 1),
        role,
        is_connected: await isAtConnection(deps.db, found.organization_id, address),
        expires_at: expires_at.toISOString(),
      },
    };
  },
  reset: async ({ reset }) => ({ data: await lookAtReset(deps, reset) }),
  set_password: async (input, context) => {
    await finishReset(deps, input, context);
    return { data: {} };
  },
});
