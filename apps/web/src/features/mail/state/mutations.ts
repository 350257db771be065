// Sends message changes. Rows change immediately and return to their places when the server
// refuses; lists and counts are then refreshed (docs/interface.md#undo). The meaning of a change is
// defined in flag-changes.ts.
import { EMAIL_IDS_MAX } from '@keyfold/contract/limits';
import {
  mutationOptions,
  type Query,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { mailClient } from '../../../session/calls/clients/mail.ts';
import { tagsClient } from '../../../session/calls/clients/tags.ts';
import { changed, type FlagChange, type Step, staysIn } from './flag-changes.ts';
import { askAgain, refreshLists } from './list-refresh.ts';
import {
  changeInLists,
  conversationsKey,
  countsKey,
  flagChangesKey,
  listsKey,
  type MailRowData,
  notePlaces,
  type Placed,
  putBack,
} from './mail-cache.ts';

export type ChangeInput = {
  /** Ids of the rows that change immediately. */
  readonly ids: readonly string[];
  /** How they change before the server responds: in their flags, or back to recorded places. */
  readonly shows: { readonly change: FlagChange } | { readonly places: Placed };
  /** Returns the requests; called when the change is about to be sent. */
  readonly findSteps: () => Promise<readonly Step[]>;
};

async function send(step: Step, ids: string[]): Promise<void> {
  switch (step.kind) {
    case 'read':
      await mailClient.read({ email_id: ids, value: step.value });
      return;
    case 'star':
      await mailClient.star({ email_id: ids, value: step.value });
      return;
    case 'archive':
      await mailClient.archive({ email_id: ids, value: step.value });
      return;
    case 'flag':
      await mailClient.flag({ email_id: ids, value: step.value });
      return;
    case 'snooze':
      await mailClient.snooze({ email_id: ids, until: step.until });
      return;
    case 'tags':
      await tagsClient.tag_email({ email_id: ids, tags: [...step.tags] });
      return;
    case 'delete':
      // A message that another device has meanwhile moved to Deleted must not be deleted
      // permanently, because the user was not asked about that.
      await mailClient.remove({ email_id: ids, ...(!step.isForGood && { recoverable: true }) });
      return;
    case 'restore':
      await mailClient.restore({ email_id: ids });
  }
}

/** Sends the requests of the steps, one at a time. */
export async function sendSteps(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    for (let start = 0; start < step.ids.length; start += EMAIL_IDS_MAX) {
      await send(step, step.ids.slice(start, start + EMAIL_IDS_MAX));
    }
  }
}

/** Shows a change of these messages in every list and conversation. */
export function showChange(cache: QueryClient, ids: readonly string[], change: FlagChange): void {
  const wanted = new Set(ids);
  changeInLists(cache, wanted, (row: MailRowData, word) => {
    const mail = changed(row.mail, change);
    return staysIn(word, mail, change) ? { ...row, mail } : null;
  });
  cache.setQueriesData<readonly MailRowData[]>({ queryKey: conversationsKey }, mails =>
    mails?.map(one => (wanted.has(one.mail.id) ? { ...one, mail: changed(one.mail, change) } : one)),
  );
}

/** Refreshes every list and count. */
export async function refreshMail(cache: QueryClient): Promise<void> {
  await Promise.all([
    refreshLists(cache),
    cache.invalidateQueries({ queryKey: countsKey }),
    askAgain(cache, { queryKey: conversationsKey }),
  ]);
}

/**
 * Mutation options for changes: rows show the change immediately, and without a connection it
 * waits.
 */
export const flagChangeOptions = (cache: QueryClient) =>
  mutationOptions({
    mutationKey: flagChangesKey,
    scope: { id: flagChangesKey[0] },
    mutationFn: async ({ findSteps }: ChangeInput): Promise<void> => sendSteps(await findSteps()),
    onMutate: async ({ ids, shows }: ChangeInput) => {
      // Pending responses do not include this change. A query without data may still receive its
      // first response.
      const predicate = ({ state }: Query) => state.data !== undefined;
      await Promise.all(
        [listsKey, conversationsKey].map(queryKey => cache.cancelQueries({ queryKey, predicate })),
      );
      const before = notePlaces(cache, new Set(ids));
      if ('change' in shows) showChange(cache, ids, shows.change);
      else putBack(cache, shows.places);
      return { before };
    },
    onError: (_error, _input, context) => context && putBack(cache, context.before),
    onSettled: () => {
      // A response without the changes that are still pending would visibly revert them.
      if (cache.isMutating({ mutationKey: flagChangesKey }) <= 1) void refreshMail(cache);
    },
  });

/** Sends changes of messages. */
export const useChangeFlags = () => useMutation(flagChangeOptions(useQueryClient()));
