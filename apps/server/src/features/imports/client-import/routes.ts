/** Handlers of contract group `imports`. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { createSealedImport } from './service.ts';

export function importHandlers(deps: Deps): Handlers<typeof api.imports, RequestContext> {
  const { findKnown, storeBatch, storeImportContainer } = createSealedImport(deps);
  return {
    known: async ({ messages }, context) => ({
      data: { known: await findKnown(callerOf(context).userId, messages) },
    }),
    seal: async (input, context) => ({ data: await storeBatch(callerOf(context).userId, input) }),
    container: async (_, context) => {
      const { blobId, sizeBytes } = await storeImportContainer(callerOf(context).userId, context.file);
      return { data: { id: blobId, size: sizeBytes } };
    },
  };
}
