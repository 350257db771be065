/**
 * State of the open conversation for the reader: its messages, which of them are expanded and
 * opened, and failures.
 */
import { CallError } from '@keyfold/contract/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useReducer } from 'react';
import { callErrorText } from '../../../../session/calls/error-text.ts';
import { useUser } from '../../../../session/state/current-user.ts';
import { showToast } from '../../../../ui/toasts.ts';
import { type OpenComposer, useComposers } from '../../../compose/windows/composer-list.ts';
import { useConversation } from '../../state/conversation-query.ts';
import type { FlagChange } from '../../state/flag-changes.ts';
import type { MailRowData } from '../../state/mail-cache.ts';
import { type WholeMail, wholeMailQuery } from '../../state/queries.ts';
import { useSenderPermissions } from '../safety/use-sender-permissions.ts';
import { NO_OPEN_MESSAGES, reduceOpenMessages } from './open-messages.ts';
import { useMessages } from './use-messages.ts';

/** Content of the pane: a hint, a skeleton, an error, or the conversation. */
export type ReaderPhase = 'empty' | 'loading' | 'failed' | 'shown';

/** Returns the phase of the pane. A message that no longer exists counts as no open message. */
export function readerPhase(now: {
  readonly mailId: string | null;
  readonly isMissing: boolean;
  readonly isPending: boolean;
  readonly problem: unknown;
  readonly hasMails: boolean;
}): ReaderPhase {
  if (now.mailId === null || now.isMissing) return 'empty';
  if (now.isPending) return 'loading';
  return now.problem !== null || !now.hasMails ? 'failed' : 'shown';
}

/** Reports a failure of the work to the user. */
export function failSafe(work: Promise<unknown>): void {
  work.catch(error => showToast({ tone: 'danger', text: callErrorText(error) }));
}

const noRows: readonly MailRowData[] = [];

/** Returns the messages to show. A draft that is open in a composer is not shown twice. */
function useShownRows(data: readonly MailRowData[] | undefined, composers: readonly OpenComposer[]) {
  const written = new Set(composers.map(({ session }) => session.state().draftId));
  const writtenKey = [...written].join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the set
  return useMemo(
    () => (data ?? noRows).filter(({ mail }) => !mail.draft || !written.has(mail.id)),
    [data, writtenKey],
  );
}

function useOpenMessages(mailId: string | null, rows: readonly MailRowData[], isWhole: boolean) {
  const [state, dispatch] = useReducer(reduceOpenMessages, NO_OPEN_MESSAGES);
  const shown = { kind: 'shown', mailId, rows, isWhole } as const;
  if (reduceOpenMessages(state, shown) !== state) dispatch(shown);
  return {
    openIds: state.ids,
    toggle: (id: string) => dispatch({ kind: 'toggled', id }),
    unfold: (ids: readonly string[]) => dispatch({ kind: 'unfolded', ids }),
  };
}

/** The conversation of a message, kept up to date. */
export function useOpenConversation(mailId: string | null) {
  const user = useUser();
  const cache = useQueryClient();
  const conversation = useConversation(mailId);
  const composers = useComposers();
  const rows = useShownRows(conversation.data, composers);
  const unfolding = useOpenMessages(mailId, rows, !conversation.isPlaceholderData);
  const permissions = useSenderPermissions(mailId);
  const messages = useMessages(rows, unfolding.openIds, permissions.allowsRemote);
  const { wholes, error, retry } = messages;
  const ownAddresses = useMemo(
    () => new Set([user?.email ?? '', ...(user?.addresses ?? [])].map(address => address.toLowerCase())),
    [user],
  );
  const problem = conversation.error ?? error;
  const isMissing = conversation.error instanceof CallError && conversation.error.status === 404;
  /** The message that was opened. */
  const first = rows.find(({ mail }) => mail.id === mailId) ?? rows.at(-1);
  const readable = rows.flatMap(({ mail }) => (mail.draft ? [] : [mail.id]));
  const { isPending } = conversation;
  const fetchWhole = (id: string) => cache.fetchQuery(wholeMailQuery(id));
  return {
    ...unfolding,
    ...messages,
    phase: readerPhase({ mailId, isMissing, isPending, problem, hasMails: first !== undefined }),
    isMissing,
    problem,
    rows,
    first,
    /** Ids of the messages that are not drafts. */
    readable,
    /** The message used when an action does not name one. */
    lastId: readable.at(-1) ?? first?.mail.id ?? '',
    user,
    ownAddresses,
    permissions,
    /** The reply that is being written below the messages. */
    inline: composers.find(one => one.mode === 'inline' && rows.some(({ mail }) => mail.id === one.under)),
    fetchAgain: () => (error === null ? void conversation.refetch() : retry()),
    /**
     * Calls `work` with an opened message. A collapsed message is opened first, because it can be
     * replied to as well.
     */
    withWhole: (id: string, work: (whole: WholeMail) => void) => {
      const whole = wholes.get(id);
      if (whole !== undefined) work(whole);
      else failSafe(fetchWhole(id).then(work));
    },
    withWholes: (ids: readonly string[], work: (mails: WholeMail[]) => void) =>
      failSafe(Promise.all(ids.map(id => wholes.get(id) ?? fetchWhole(id))).then(work)),
  };
}

export type OpenConversation = ReturnType<typeof useOpenConversation>;

/**
 * Marks expanded messages as read. Expanding alone does not count: a body that could not be
 * fetched, as when offline, has not been read.
 */
export function useReading(
  { problem, views, openIds, rows }: OpenConversation,
  onChange: (ids: readonly string[], change: FlagChange) => void,
): void {
  const isShown =
    problem === null && views.every(({ id, body }) => !openIds.has(id) || body.kind !== 'loading');
  const unread = rows.flatMap(({ mail }) => (isShown && openIds.has(mail.id) && !mail.read ? [mail.id] : []));
  const unreadKey = unread.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each set of unread mails that came to be shown
  useEffect(() => {
    if (unread.length > 0) onChange(unread, { kind: 'read', value: true });
  }, [unreadKey]);
}
