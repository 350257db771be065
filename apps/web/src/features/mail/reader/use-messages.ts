// The messages of the open conversation as the reader shows them: fetches and opens the unfolded ones, asks for the keys
// of their senders, and puts the bodies that use-shown-bodies.ts has cleaned beside them.
import type { User } from '@keyfold/contract';
import {
  type QueryClient,
  type UseQueryResult,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { keys } from '../../../crypto/key-client.ts';
import { loadAgain } from '../../../lib/load-again.ts';
import { useUser } from '../../../session/state/current-user.ts';
import { loadAddressBook, useAddressBook } from '../../../session/trust/address-book.ts';
import { type Book, emptyBook, findMismatch, findPerson, findPin } from '../../../session/trust/pins.ts';
import { findKeys } from '../../../session/trust/recipient-keys.ts';
import { type PicturesOf, useMeasuredPictures } from '../frame/use-measured-pictures.ts';
import { changeInLists, type MailRowData } from '../state/mail-cache.ts';
import { mendSummaries } from '../state/mend-summaries.ts';
import { type WholeMail, wholeMailQuery } from '../state/queries.ts';
import type { MessageView } from '../state/view-model.ts';
import { useUnpacked } from './attached/use-unpacked.ts';
import { type ShownBody, toClosedView, toJudgedView, toOpenView } from './message-view.ts';
import type { SenderProof } from './safety/security-view.ts';
import { loadSenderChoices } from './safety/sender-choices.ts';
import { senderWarnings } from './safety/sender-warnings.ts';
import { useRemotePictures } from './use-remote-pictures.ts';
import { useShownBodies } from './use-shown-bodies.ts';

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

type OwnKeys = SenderProof['ownKeys'];

/** One's own keys in use; null until the worker has told them. */
function useOwnKeys(): OwnKeys {
  const { data } = useQuery({
    queryKey: ['own-key'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => keys().vaultFacts(),
  });
  return data ?? null;
}

/** Hosts that a sender might imitate: one's own and those of the people one knows. */
function knownHostsOf(user: User | null, book: Book): string[] {
  if (user === null) return [];
  const addresses = [
    user.email,
    ...user.addresses,
    ...book.people.flatMap(one => (one.isContact ? [one.email] : [])),
  ];
  return [
    ...new Set([...user.domains, ...addresses.map(address => address.slice(address.lastIndexOf('@') + 1))]),
  ];
}

/** What is known of a mail's sender beside the mail itself. Nothing that the server says of contacts counts (docs/adr/0020). */
export function proofOf(
  { content }: WholeMail,
  user: User | null,
  book: Book,
  senderKeys: ReadonlyMap<string, string>,
  ownKeys: OwnKeys,
): SenderProof {
  const from = content.parsed.from ?? { name: '', address: '' };
  const address = from.address.toLowerCase();
  const own = user === null ? [] : [user.email, ...user.addresses].map(one => one.toLowerCase());
  const pin = findPin(book, address);
  const person = findPerson(book, address);
  return {
    senderKeyB64: senderKeys.get(address) ?? null,
    ownKeys,
    isFromSelf: own.includes(address),
    pinned:
      pin === null
        ? null
        : { dhPublicB64: pin.dh, isVerified: pin.verified !== null, formerB64: person?.former ?? [] },
    isMismatched: findMismatch(book, address) !== null,
    isContact: person?.isContact ?? false,
    warnings: senderWarnings({
      from,
      replyTo: content.parsed.replyTo,
      knownHosts: knownHostsOf(user, book),
      ownAddresses: new Set(own),
    }),
  };
}

/**
 * The views of a conversation's mails, and the opened mails behind them by id. `allowsRemote` says for an opened mail
 * whether its remote pictures may be fetched.
 */
export function useMessages(
  rows: readonly MailRowData[],
  openIds: ReadonlySet<string>,
  allowsRemote: (message: MessageView) => boolean,
) {
  const opened = rows.filter(({ mail }) => openIds.has(mail.id));
  const {
    wholes: fetched,
    error,
    retry,
    isRetrying,
  } = useQueries({
    queries: opened.map(({ mail }) => wholeMailQuery(mail.id)),
    combine: combineMails,
  });
  // The strip speaks for closed messages too; what one sees is fetched first. `sent` is only the server's word.
  const isOpenThere = error === null && fetched.size === opened.length;
  const wholes = useUnpacked(fetched);
  const cache = useQueryClient();
  const closed = rows.filter(row => isToJudge(row) && !openIds.has(row.mail.id));
  const later = new Set(closed.filter(({ mail }) => isToFetch(cache, mail.id)).slice(0, -JUDGED_AT_ONCE));
  const { wholes: judged, ...closedOnes } = useQueries({
    queries: closed.map(row => ({
      ...wholeMailQuery(row.mail.id),
      enabled: isOpenThere && !later.has(row),
    })),
    combine: combineMails,
  });
  const ownKeys = useOwnKeys();
  const user = useUser();
  const book = useAddressBook() ?? emptyBook;
  useEffect(() => void loadAddressBook().catch(() => undefined), []);
  const sealed = useMemo(
    () =>
      [...wholes.values(), ...judged.values()].filter(
        ({ mail }) => !mail.public && !mail.sent && !mail.draft && !mail.alert,
      ),
    [wholes, judged],
  );
  const senderKeys = useSenderKeys(
    sealed.flatMap(({ content }) => content.parsed.from?.address.toLowerCase() ?? []),
  );
  useEffect(() => {
    for (const { content } of sealed) {
      const { keyLog } = content;
      const sender = content.parsed.from?.address ?? '';
      if (keyLog !== undefined)
        void loadAgain(() => import('../../../session/trust/key-log.ts')).then(log =>
          log.compareSeen(sender, keyLog),
        );
    }
  }, [sealed]);
  useEffect(() => {
    const opened = [...wholes.values(), ...judged.values()];
    tellLists(cache, opened);
    void mendSummaries(cache, opened);
  }, [cache, wholes, judged]);
  const [pictures, want] = useRemotePictures();
  const [inFull, setInFull] = useState<ReadonlySet<string>>(new Set());
  const shown = useShownBodies(wholes, pictures, inFull);
  const pictured = useMemo(() => picturesOf(wholes, shown), [wholes, shown]);
  const [hidden, measure] = useMeasuredPictures(pictured);
  const views = useMemo(
    () =>
      rows.map((row): MessageView => {
        const whole = wholes.get(row.mail.id);
        if (whole === undefined) {
          const known = judged.get(row.mail.id);
          return known === undefined
            ? toClosedView(row)
            : toJudgedView(row, known, proofOf(known, user, book, senderKeys, ownKeys));
        }
        const body = withHidden(shown.get(row.mail.id) ?? cleaningBody, hidden.get(row.mail.id) ?? 0);
        const showWhole = () => setInFull(before => new Set(before).add(row.mail.id));
        return toOpenView(
          row,
          whole,
          withShowWhole(body, showWhole),
          proofOf(whole, user, book, senderKeys, ownKeys),
        );
      }),
    [rows, wholes, judged, shown, hidden, senderKeys, ownKeys, user, book],
  );
  useEffect(() => {
    if (views.some(asksForChoice)) loadSenderChoices();
    const allowed = views.filter(view => wholes.has(view.id) && allowsRemote(view));
    want(
      new Map(
        allowed.map(({ id, remote }) => [
          id,
          {
            urls: remote?.urls ?? [],
            measure: () => measure(id),
          },
        ]),
      ),
    );
  }, [views, wholes, allowsRemote, want, measure]);
  return {
    views,
    wholes,
    error,
    isRetrying: isRetrying || closedOnes.isRetrying,
    retry: () => {
      retry();
      closedOnes.retry();
    },
  };
}

/** Closed messages that are fetched at once to be judged, the newest first. */
const JUDGED_AT_ONCE = 2;

/** Whether only its body tells how far a closed message can be trusted: of a notice that is known. */
const isToJudge = ({ mail }: MailRowData): boolean => !mail.draft && !mail.alert;

function isToFetch(cache: QueryClient, mailId: string): boolean {
  const state = cache.getQueryState(wholeMailQuery(mailId).queryKey);
  return state === undefined || (state.data === undefined && state.status !== 'error');
}

/** Whether a choice about its sender would change how a message is shown. */
const asksForChoice = ({ remote, body }: MessageView): boolean =>
  remote !== null || (body.kind === 'html' && body.hasOwnColors);

/** A body that does not open takes the proof from its row in the lists too, which its summary alone had opened. */
function tellLists(cache: QueryClient, opened: readonly WholeMail[]): void {
  const failed = new Map(
    opened.flatMap(({ mail, content }) =>
      content.failed === null ? [] : [[mail.id, content.failed] as const],
    ),
  );
  if (failed.size === 0) return;
  changeInLists(cache, new Set(failed.keys()), row => {
    const why = failed.get(row.mail.id) ?? null;
    return row.opened.failed !== null || why === null
      ? row
      : { ...row, opened: { ...row.opened, failed: why } };
  });
}

/** The addresses that open mails name, with what they stand in. */
const picturesOf = (
  wholes: ReadonlyMap<string, WholeMail>,
  shown: ReadonlyMap<string, ShownBody>,
): PicturesOf =>
  new Map(
    [...wholes].flatMap(([id, { content }]) => {
      const urls = shown.get(id)?.remote?.urls ?? [];
      const html = content.parsed.html ?? '';
      return urls.length === 0 ? [] : [[id, { html, urls }] as const];
    }),
  );

/** What is hidden counts as a tracker from the moment it is known; once pictures were loaded it is counted already. */
const withHidden = (shown: ShownBody, hidden: number): ShownBody =>
  shown.remote === null || shown.remote.loading !== null || hidden === 0
    ? shown
    : { ...shown, remote: { ...shown.remote, knownTrackers: shown.remote.knownTrackers + hidden } };

/** Of a long body the reader may ask for the rest. */
const withShowWhole = (shown: ShownBody, showWhole: () => void): ShownBody =>
  shown.body.kind === 'html' && shown.body.openWhole !== undefined
    ? { ...shown, body: { ...shown.body, showWhole } }
    : shown;

const cleaningBody: ShownBody = { body: { kind: 'loading' }, remote: null };

/** Kept at one place so that it runs again only when a result has changed. */
function combineMails(results: readonly UseQueryResult<WholeMail>[]) {
  return {
    wholes: new Map(
      results.flatMap(({ data }) => (data === undefined ? [] : [[data.mail.id, data] as const])),
    ),
    error: results.find(({ isError }) => isError)?.error ?? null,
    isRetrying: results.some(({ isFetching, data }) => isFetching && data !== undefined),
    retry: () => {
      for (const result of results) void result.refetch();
    },
  };
}
