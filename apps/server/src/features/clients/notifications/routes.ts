/** Handlers of contract group `notifications`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext, sessionOf } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import {
  registerDevice,
  removeDevice,
  sendTest,
  setBadge,
  setGroupSummary,
  setPreferences,
  unregisterDevice,
  viewPush,
} from './service.ts';

export const notificationHandlers = (deps: Deps): Handlers<typeof api.notifications, RequestContext> => ({
  status: async (_input, context) => ({ data: await viewPush(deps, sessionOf(context)) }),
  register: async (input, context) => ({
    data: { id: await registerDevice(deps, sessionOf(context), input) },
  }),
  unregister: async ({ token }, context) => {
    await unregisterDevice(deps, callerOf(context).userId, token);
    return { data: {} };
  },
  remove_device: async ({ id }, context) => {
    await removeDevice(deps, callerOf(context).userId, id);
    return { data: {} };
  },
  preferences: async (input, context) => ({
    data: { updated: await setPreferences(deps, sessionOf(context), input) },
  }),
  update_group_summary: async (input, context) => ({
    data: { unreadCount: await setGroupSummary(deps, callerOf(context).userId, input) },
  }),
  update_badge: async (input, context) => ({
    data: { count: await setBadge(deps, callerOf(context).userId, input) },
  }),
  test: async ({ token }, context) => ({
    data: { queued: await sendTest(deps, sessionOf(context), token) },
  }),
});
