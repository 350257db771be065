// Creates, renames and removes tags. The list of tags is part of the user (docs/spec-map.md 3). A
// rename also refetches the mail lists, because rows contain tag names.
import type { Tag } from '@keyfold/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { tagsClient } from '../../session/calls/clients/tags.ts';
import { setUserTags } from '../../session/state/current-user.ts';
import { beginListsAnew, conversationsKey, countsKey } from '../mail/state/queries.ts';

const byName = (a: Tag, b: Tag): number => a.name.localeCompare(b.name);

/** Creates a tag, or changes the color of one. */
export function useSaveTag() {
  return useMutation({
    mutationFn: async (tag: Tag) => (await tagsClient.save({ tag })).data,
    onSuccess: tag =>
      setUserTags(tags => [...tags.filter(({ name }) => name !== tag.name), tag].sort(byName)),
  });
}

/** Refetches everything that contains tags. */
function useRefresh() {
  const cache = useQueryClient();
  return () =>
    Promise.all([
      beginListsAnew(cache),
      ...[countsKey, conversationsKey].map(queryKey => cache.invalidateQueries({ queryKey })),
    ]);
}

/** Changes the name and color of a tag; its messages keep it. */
export function useRenameTag() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ name, tag }: { name: string; tag: Tag }) =>
      (await tagsClient.rename({ name, tag })).data,
    onSuccess: async (tag, { name }) => {
      setUserTags(tags =>
        [...tags.filter(one => one.name !== name && one.name !== tag.name), tag].sort(byName),
      );
      await refresh();
    },
  });
}

/** Removes a tag, also from its messages. */
export function useRemoveTag() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (name: string) => (await tagsClient.remove({ name })).data.updated,
    onSuccess: async (_, name) => {
      setUserTags(tags => tags.filter(one => one.name !== name));
      await refresh();
    },
  });
}
