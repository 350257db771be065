/** Handlers of contract group `records`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { listRecords, removeRecord, saveRecord } from './service.ts';

export const recordHandlers = (deps: Deps): Handlers<typeof api.records, RequestContext> => ({
  list: async (input, context) => ({ data: await listRecords(deps, callerOf(context).userId, input) }),
  save: async (input, context) => ({
    data: { version: await saveRecord(deps, callerOf(context).userId, input) },
  }),
  remove: async (input, context) => {
    await removeRecord(deps, callerOf(context).userId, input);
    return { data: {} };
  },
});
