/**
 * Facts about the senders of opened messages from outside the messages: their keys, the user's own
 * keys, and the address book.
 */
import type { User } from '@keyfold/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { keys } from '../../../../crypto/key-client.ts';
import { loadAgain } from '../../../../lib/load-again.ts';
import { useUser } from '../../../../session/state/current-user.ts';
import { loadAddressBook, useAddressBook } from '../../../../session/trust/address-book.ts';
import { type Book, emptyBook, findMismatch, findPerson, findPin } from '../../../../session/trust/pins.ts';
import { findKeys } from '../../../../session/trust/recipient-keys.ts';
import type { WholeMail } from '../../state/queries.ts';
import type { SenderProof } from './security-view.ts';
import { senderWarnings } from './sender-warnings.ts';

/** Returns the X25519 public key (base64) of each address that has one on this server. */
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

/** Returns the user's current keys, or null until the worker has reported them. */
function useOwnKeys(): OwnKeys {
  const { data } = useQuery({
    queryKey: ['own-key'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => keys().vaultFacts(),
  });
  return data ?? null;
}

/** Returns hosts that a sender might imitate: the user's own and those of known people. */
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

/**
 * Returns what is known of a message's sender from outside the message. Nothing that the server
 * says about contacts counts (docs/adr/0020).
 */
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
 * Returns a function that gives the sender proof of each message. It stays the same function until
 * the facts change.
 */
export function useSenderProofs(
  wholes: ReadonlyMap<string, WholeMail>,
  judged: ReadonlyMap<string, WholeMail>,
): (whole: WholeMail) => SenderProof {
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
        void loadAgain(() => import('../../../../session/trust/key-log.ts')).then(log =>
          log.compareSeen(sender, keyLog),
        );
    }
  }, [sealed]);
  return useCallback(
    (whole: WholeMail) => proofOf(whole, user, book, senderKeys, ownKeys),
    [user, book, senderKeys, ownKeys],
  );
}
