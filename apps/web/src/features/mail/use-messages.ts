// The messages of the open conversation as the reader shows them: fetches and opens the unfolded ones, asks for the keys
// of their senders, and puts the bodies that use-shown-bodies.ts has cleaned beside them.
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys } from '../../crypto/key-client.ts';
import { useUser } from '../../session/current-user.ts';
import { findKeys } from '../compose/recipient-keys.ts';
import type { MailRowData } from './mail-cache.ts';
import { type ShownBody, toClosedView, toOpenView } from './message-view.ts';
import { type WholeMail, wholeMailQuery } from './queries.ts';
import { useShownBodies } from './use-shown-bodies.ts';
import type { MessageView } from './view-model.ts';

/** X25519 public key (base64) of each address that has one here. */
function useSenderKeys(addresses: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(addresses)].sort();
  const { data } = useQuery({
    queryKey: ['sender-keys', ...wanted],
    enabled: wanted.length > 0,
    queryFn: async () => {
      const found = await findKeys(wanted);
      return new Map(
        found.flatMap((one, at) => ('plaintext' in one ? [] : [[wanted[at] ?? '', one.dh_public] as const])),
      );
    },
  });
  return data ?? noKeys;
}

const noKeys: ReadonlyMap<string, string> = new Map();

function useOwnKey(): string {
  const { data } = useQuery({
    queryKey: ['own-key'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await keys().vaultFacts()).dhPublicB64,
  });
  return data ?? '';
}

/** The views of a conversation's mails, and the opened mails behind them by id. */
export function useMessages(
  rows: readonly MailRowData[],
  openIds: ReadonlySet<string>,
  allowRemote: boolean,
) {
  const opened = rows.filter(({ mail }) => openIds.has(mail.id));
  const { wholes, error, retry } = useQueries({
    queries: opened.map(({ mail }) => wholeMailQuery(mail.id)),
    combine: combineMails,
  });
  const ownKeyB64 = useOwnKey();
  const user = useUser();
  const sealed = [...wholes.values()].filter(
    ({ mail }) => !mail.public && !mail.sent && !mail.draft && !mail.alert,
  );
  const senderKeys = useSenderKeys(
    sealed.flatMap(({ content }) => content.parsed.from?.address.toLowerCase() ?? []),
  );
  const shown = useShownBodies(wholes, allowRemote);
  const views = useMemo(
    () =>
      rows.map((row): MessageView => {
        const whole = wholes.get(row.mail.id);
        if (whole === undefined) return toClosedView(row);
        const body = shown.get(row.mail.id) ?? cleaningBody;
        const from = whole.content.parsed.from?.address.toLowerCase() ?? '';
        const senderKeyB64 = senderKeys.get(from) ?? null;
        const isFromSelf = user !== null && [user.email, ...user.addresses].includes(from);
        return toOpenView(row, whole, body, { senderKeyB64, ownKeyB64, isFromSelf });
      }),
    [rows, wholes, shown, senderKeys, ownKeyB64, user],
  );
  return { views, wholes, error, retry };
}

const cleaningBody: ShownBody = { body: { kind: 'loading' }, remote: null };

/** Kept at one place so that it runs again only when a result has changed. */
function combineMails(results: readonly UseQueryResult<WholeMail>[]) {
  return {
    wholes: new Map(
      results.flatMap(({ data }) => (data === undefined ? [] : [[data.mail.id, data] as const])),
    ),
    error: results.find(({ isError }) => isError)?.error ?? null,
    retry: () => {
      for (const result of results) void result.refetch();
    },
  };
}
