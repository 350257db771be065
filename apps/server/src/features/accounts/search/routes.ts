/** Handlers of contract group `search`: sealed segments of a client's search index. */
import type { api, Handlers } from '@keyfold/contract';
import { callerOf, type RequestContext } from '../../../context/call-context.ts';
import type { Deps } from '../../../context/deps.ts';
import { addSegment, getSegment, listSegments, removeSegments } from './service.ts';

export const searchHandlers = (deps: Deps): Handlers<typeof api.search, RequestContext> => ({
  segments: async (_input, context) => ({ data: await listSegments(deps, callerOf(context).userId) }),
  add_segment: async ({ head, replaces }, context) => {
    const { blobId, sizeBytes } = await addSegment(deps, callerOf(context).userId, {
      head,
      replaces: replaces?.split(',') ?? [],
      file: context.file,
    });
    return { data: { id: blobId, size: sizeBytes } };
  },
  segment: async ({ id }, context) => {
    context.sendFile(await getSegment(deps, callerOf(context).userId, id));
    return {};
  },
  remove_segments: async (_input, context) => {
    await removeSegments(deps, callerOf(context).userId);
    return { data: {} };
  },
});
