// Sends changes of mail. Rows change at once and go back to their places when the server refuses; whole lists and counts
// are asked for again afterwards (docs/interface.md#undo). What a change means is in marks.ts.
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
import { triageClient } from '../../../session/calls/clients/triage.ts';
import { askAgain, refreshLists } from './list-refresh.ts';
import {
  changeInLists,
  conversationsKey,
  countsKey,
  listsKey,
  type MailRowData,
  marksKey,
  notePlaces,
  type Placed,
  putBack,
} from './mail-cache.ts';
import { changed, type Mark, type Step, staysIn } from './marks.ts';

export type ChangeInput = {
  /** The rows that change at once. */
  readonly ids: readonly string[];
  /** How they change before the server has answered: by a mark, or back to what was noted. */
  readonly shows: { readonly mark: Mark } | { readonly places: Placed };
  /** The requests; worked out when their turn has come. */
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
      await triageClient.flag({ email_id: ids, value: step.value });
      return;
    case 'snooze':
      await triageClient.snooze({ email_id: ids, until: step.until });
      return;
    case 'tags':
      await tagsClient.tag_email({ email_id: ids, tags: [...step.tags] });
      return;
    case 'delete':
      // What another device moved to Deleted meanwhile must not go for good: nobody was asked whether it may.
      await mailClient.remove({ email_id: ids, ...(!step.isForGood && { recoverable: true }) });
      return;
    case 'restore':
      await mailClient.restore({ email_id: ids });
  }
}

/** Makes the requests of the steps, one after the other. */
export async function sendSteps(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    for (let start = 0; start < step.ids.length; start += EMAIL_IDS_MAX) {
      await send(step, step.ids.slice(start, start + EMAIL_IDS_MAX));
    }
  }
}

/** Shows a mark on these mails in every list and conversation. */
export function showMark(cache: QueryClient, ids: readonly string[], mark: Mark): void {
  const wanted = new Set(ids);
  changeInLists(cache, wanted, (row: MailRowData, word) => {
    const mail = changed(row.mail, mark);
    return staysIn(word, mail, mark) ? { ...row, mail } : null;
  });
  cache.setQueriesData<readonly MailRowData[]>({ queryKey: conversationsKey }, mails =>
    mails?.map(one => (wanted.has(one.mail.id) ? { ...one, mail: changed(one.mail, mark) } : one)),
  );
}

/** Asks for every list and count again. */
export async function refreshMail(cache: QueryClient): Promise<void> {
  await Promise.all([
    refreshLists(cache),
    cache.invalidateQueries({ queryKey: countsKey }),
    askAgain(cache, { queryKey: conversationsKey }),
  ]);
}

/** How changes of marks are made: the rows show it at once, and without a connection the change waits for it. */
export const markOptions = (cache: QueryClient) =>
  mutationOptions({
    mutationKey: marksKey,
    scope: { id: marksKey[0] },
    mutationFn: async ({ findSteps }: ChangeInput): Promise<void> => sendSteps(await findSteps()),
    onMutate: async ({ ids, shows }: ChangeInput) => {
      // Answers that are under way know nothing of this change. One that nothing is shown of yet may come.
      const predicate = ({ state }: Query) => state.data !== undefined;
      await Promise.all(
        [listsKey, conversationsKey].map(queryKey => cache.cancelQueries({ queryKey, predicate })),
      );
      const before = notePlaces(cache, new Set(ids));
      if ('mark' in shows) showMark(cache, ids, shows.mark);
      else putBack(cache, shows.places);
      return { before };
    },
    onError: (_error, _input, context) => context && putBack(cache, context.before),
    onSettled: () => {
      // An answer that knows nothing of the changes still waiting would undo them before everybody's eyes.
      if (cache.isMutating({ mutationKey: marksKey }) <= 1) void refreshMail(cache);
    },
  });

/** Changes mails. */
export const useMark = () => useMutation(markOptions(useQueryClient()));
