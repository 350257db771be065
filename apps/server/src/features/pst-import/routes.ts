/**
 * The calls of contract group `pst_imports`.
 */
import type { api, Handlers } from '@keyfold/contract';
import type { Deps } from '../../deps.ts';
import { callerOf, type RequestContext } from '../../http/context.ts';
import { cancelImport, getImport, startImport } from './service.ts';

export const pstImportHandlers = (deps: Deps): Handlers<typeof api.pst_imports, RequestContext> => ({
  start: async ({ import_options }, context) => ({
    data: {
      import_id: await startImport(deps, callerOf(context).userId, import_options, context.file),
    },
  }),
  status: async ({ id }, context) => ({ data: await getImport(deps, callerOf(context).userId, id) }),
  cancel: async ({ id }, context) => {
    await cancelImport(deps, callerOf(context).userId, id);
    return { data: {} };
  },
});
