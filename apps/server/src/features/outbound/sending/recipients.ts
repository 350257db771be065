/**
 * Recipients of a message: validates the list and looks each entry up in the directory. A recipient
 * with keys never receives plaintext, and nothing is sealed to a key that its owner has replaced
 * (docs/interpretations.md#17 to #20).
 */
import type { Recipient } from '@keyfold/contract';
import { AppError, type ErrorCode, type FieldProblem } from '@keyfold/contract/errors';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { isValidAddress } from '@keyfold/mail/addresses';
import type { Db, Trx } from '../../../db/pool.ts';
import { suspendedError } from '../../accounts/auth/index.ts';
import { findOwnersOf, type Owner } from '../../accounts/users/index.ts';

/**
 * A reader's wrap of the message key. A wrap without ciphertext is the sender's own
 * (docs/wire-format.md#wraps-for-oneself).
 */
export type Wrap = {
  readonly ciphertext: Buffer | null;
  readonly encryptedKey: Buffer;
  readonly salt: Buffer;
  readonly keyUsed: string;
};

export type ListKind = 'to' | 'cc' | 'bcc';

export type Listed = {
  /** Index in the request, for problem reports. */
  readonly index: number;
  /** Normalized. */
  readonly address: string;
  readonly kind: ListKind;
  /** Null for a plaintext recipient. */
  readonly wrap: Wrap | null;
};

export type RecipientList = {
  readonly own: Wrap & { readonly index: number; readonly address: string };
  readonly listed: readonly Listed[];
};

const KINDS = ['to', 'cc', 'bcc'] as const;

const problemAt = (index: number, message: string): FieldProblem => ({ path: `to.${index}`, message });

function readWrap(entry: Recipient): Wrap | null {
  const { encrypted_key, salt, key_used, ciphertext } = entry;
  if (encrypted_key === undefined || salt === undefined || key_used === undefined) return null;
  return {
    ciphertext: ciphertext === undefined ? null : Buffer.from(ciphertext, 'base64'),
    encryptedKey: Buffer.from(encrypted_key, 'base64'),
    salt: Buffer.from(salt, 'base64'),
    keyUsed: key_used,
  };
}

const hasSealedField = (entry: Recipient): boolean =>
  [entry.ciphertext, entry.encrypted_key, entry.salt, entry.key_used].some(field => field !== undefined);

function kindOf(entry: Recipient): ListKind | null {
  const kinds = KINDS.filter(kind => entry[kind] === true);
  return kinds.length === 1 ? (kinds[0] ?? null) : null;
}

function readListed(entry: Recipient, index: number): Listed | FieldProblem {
  const address = normalizeAddress(entry.email);
  const kind = kindOf(entry);
  if (kind === null) return problemAt(index, 'Must be exactly one of to, cc and bcc');
  if (!isValidAddress(address)) return problemAt(index, 'Not a deliverable address');
  if (entry.plaintext)
    return hasSealedField(entry)
      ? problemAt(index, 'Must be either plaintext or encrypted')
      : { index, address, kind, wrap: null };
  const wrap = readWrap(entry);
  return wrap === null
    ? problemAt(index, 'Requires encrypted_key, salt and key_used')
    : { index, address, kind, wrap };
}

function readOwn(entries: readonly Recipient[]): RecipientList['own'] | FieldProblem {
  const places = entries.flatMap((entry, index) => (entry.sender === true ? [{ entry, index }] : []));
  const [only] = places;
  if (only === undefined || places.length > 1)
    return { path: 'to', message: 'Must have exactly one entry with sender: true' };
  const { entry, index } = only;
  const wrap = readWrap(entry);
  if (wrap === null || wrap.ciphertext !== null || entry.plaintext || KINDS.some(kind => entry[kind]))
    return problemAt(
      index,
      "The sender's copy must be encrypted for the sender and have none of to, cc and bcc",
    );
  return { ...wrap, index, address: normalizeAddress(entry.email) };
}

const isProblem = (value: object): value is FieldProblem => 'message' in value;

/** Validates the form of the list. Throws recipients_refused with every problem found. */
export function readRecipients(entries: readonly Recipient[]): RecipientList {
  const own = readOwn(entries);
  const read = entries.flatMap((entry, index) => (entry.sender === true ? [] : [readListed(entry, index)]));
  const problems = [own, ...read].filter(isProblem);
  const listed = read.filter(one => !isProblem(one)) as Listed[];
  const seen = new Set<string>();
  for (const { index, address } of listed) {
    if (seen.has(address)) problems.push(problemAt(index, 'Listed twice'));
    seen.add(address);
  }
  if (read.length === 0) problems.push({ path: 'to', message: 'The message has no recipients' });
  if (problems.length > 0 || isProblem(own)) throw new AppError('recipients_refused', { problems });
  return { own, listed };
}

/** A local recipient with the corresponding wrap. */
export type Inside = { readonly entry: Listed; readonly wrap: Wrap; readonly owner: Owner };

export type Parties = {
  readonly sender: Owner;
  readonly inside: readonly Inside[];
  readonly outside: readonly Listed[];
};

/** Checks one entry against the directory. Returns the problem, or null. */
function judge(entry: Listed, owner: Owner | undefined, senderId: string): [ErrorCode, string] | null {
  const { wrap } = entry;
  if (owner === undefined)
    return wrap === null ? null : ['recipients_refused', 'This address has no keys on this service'];
  if (wrap === null) return ['recipient_has_keys', 'This address can receive encrypted mail'];
  if (wrap.keyUsed !== owner.fingerprint) return ['recipient_key_changed', 'Encrypted with an earlier key'];
  // Only the sender can open a wrap without ciphertext, whichever of the sender's addresses it is
  // for.
  if (wrap.ciphertext === null && owner.userId !== senderId)
    return ['recipients_refused', 'Requires ciphertext'];
  if (owner.isOff) return ['recipients_refused', 'This address does not accept mail'];
  return owner.isSuspended ? ['recipients_refused', 'This account cannot receive mail at present'] : null;
}

/**
 * Priority of problems when a request has several. Key problems come first, so that a client seals
 * the message again and retries.
 */
const PRECEDENCE = ['recipient_has_keys', 'recipient_key_changed', 'recipients_refused'] as const;

/**
 * Looks sender and recipients up in the directory. Throws sender_refused, account_suspended,
 * keys_refused, recipient_has_keys, recipient_key_changed or recipients_refused, the last three
 * naming the entries.
 */
export async function resolveParties(
  db: Db | Trx,
  senderId: string,
  usedAddress: string,
  publicKey: Uint8Array,
  list: RecipientList,
): Promise<Parties> {
  const owners = await findOwnersOf(db, [
    usedAddress,
    list.own.address,
    ...list.listed.map(({ address }) => address),
  ]);
  const sender = owners.get(usedAddress);
  if (sender === undefined || sender.userId !== senderId) throw new AppError('sender_refused');
  if (sender.isSuspended) throw await suspendedError(db, senderId);
  if (!Buffer.from(sender.dhPublic).equals(publicKey))
    throw new AppError('keys_refused', {
      problems: [{ path: 'public_key', message: 'Not a key of this account' }],
    });
  if (list.own.keyUsed !== sender.fingerprint)
    throw new AppError('keys_refused', {
      problems: [problemAt(list.own.index, 'Not a key of this account')],
    });
  if (owners.get(list.own.address)?.userId !== senderId)
    throw new AppError('recipients_refused', {
      problems: [problemAt(list.own.index, 'Not an address of this account')],
    });
  const found = list.listed.flatMap(entry => {
    const verdict = judge(entry, owners.get(entry.address), senderId);
    return verdict === null ? [] : [{ code: verdict[0], problem: problemAt(entry.index, verdict[1]) }];
  });
  for (const code of PRECEDENCE) {
    const problems = found.filter(one => one.code === code).map(({ problem }) => problem);
    if (problems.length > 0) throw new AppError(code, { problems });
  }
  return {
    sender,
    inside: list.listed.flatMap(entry => {
      const owner = owners.get(entry.address);
      return owner === undefined || entry.wrap === null ? [] : [{ entry, wrap: entry.wrap, owner }];
    }),
    outside: list.listed.filter(({ wrap }) => wrap === null),
  };
}
