/** Handlers of contract group `server_imports`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { findImapFolders, startImapImport } from './imap-start.ts';
import { startPstImport } from './pst-upload.ts';
import { cancelImport, getImport } from './service.ts';

export const serverImportHandlers = (deps: Deps): Handlers<typeof api.server_imports, RequestContext> => ({
  start_pst: async ({ import_options }, context) => ({
    data: {
      import_id: await startPstImport(deps, callerOf(context).userId, import_options, context.file),
    },
  }),
  imap_folders: async login => ({ data: { folders: await findImapFolders(deps, login) } }),
  start_imap: async (input, context) => ({
    data: { import_id: await startImapImport(deps, callerOf(context).userId, input) },
  }),
  status: async ({ id }, context) => ({ data: await getImport(deps, callerOf(context).userId, id) }),
  cancel: async ({ id }, context) => {
    await cancelImport(deps, callerOf(context).userId, id);
    return { data: {} };
  },
});
