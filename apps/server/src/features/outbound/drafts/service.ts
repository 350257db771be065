/**
 * Drafts: an empty one as a home for attachments, saving over and over, containers, and what sending takes from a draft
 * (docs/spec-map.md 7.47, 7.48, docs/interpretations.md#21 to #24, docs/wire-format.md#attachments). The server sees sealed bytes
 * only; recipients and subject of a draft are inside its payload, so what a client says of them beside it is not stored.
 */
import { createHash } from 'node:crypto';
import type { api, InputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import { buildStoredHeaders, createMessageId } from '@keyfold/mail/mime/stored-headers';
import { toMask } from '../../../base/flags.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import { forgetScheduled } from '../../accounts/records/index.ts';
import { refuseForeignSignature } from '../../accounts/signatures/index.ts';
import { addressesOf, getFreeBytes, requireKeysInUse } from '../../accounts/users/index.ts';
import {
  type Container,
  containersOf,
  findReadable,
  lockDraft,
  lockMailboxes,
  type NewMail,
  readSealedBody,
  readSealedSummary,
  removeMails,
  replaceDraft,
  sizeOf,
  storeMails,
} from '../../mailbox/messages/index.ts';
import { findDraft, findDraftNamed } from './store.ts';

type DraftInput = InputOf<typeof api.sending.draft>;
type EmptyInput = InputOf<typeof api.sending.empty>;

/** The containers in a user's draft. Throws not_found, or draft_refused for a mail that is no draft. */
export async function draftContainers(trx: Trx, userId: string, draftId: string): Promise<Container[]> {
  await lockDraft(trx, userId, draftId);
  return containersOf(trx, userId, draftId);
}

/**
 * Takes a draft out of its mailbox within the transaction that sends it, and returns its containers, which the sent
 * mails then refer to. The caller has locked the mailboxes of all recipients before, the sender's among them. Throws
 * not_found, or draft_refused for a mail that is no draft.
 */
export async function takeDraft(trx: Trx, userId: string, draftId: string): Promise<Container[]> {
  const containers = await draftContainers(trx, userId, draftId);
  await removeMails(trx, userId, [draftId]);
  await forgetScheduled(trx, userId, [draftId]);
  return containers;
}

/**
 * The containers of these ids, each of which a mail of the user refers to: what a forward may hand on
 * (docs/interpretations.md#24). Repeated ids count once. Throws not_found when one is not there or the user has no mail with it.
 */
export async function attachmentsOf(
  trx: Trx,
  userId: string,
  blobIds: readonly string[],
): Promise<Container[]> {
  const wanted = [...new Set(blobIds)];
  if (wanted.length === 0) return [];
  if (!wanted.every(isUuid)) throw new AppError('not_found');
  const found = await findReadable(trx, userId, wanted);
  if (found.length !== wanted.length) throw new AppError('not_found');
  return found;
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64');

// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is refused
const CONTROLS = /[\u0000-\u001f\u007f]/;

/** A Message-ID in angle brackets. Throws message_refused for one with controls, which no header can hold. */
function withBrackets(messageId: string): string {
  if (CONTROLS.test(messageId)) throw new AppError('message_refused');
  return `<${messageId.replace(/^<|>$/g, '')}>`;
}

const MESSAGE_ID_BYTES = 16;

const DRAFT_MASK = toMask({ draft: true, read: true });

const ownWrap = (input: EmptyInput) => ({
  ciphertext: null,
  dhPublic: null,
  encryptedKey: bytesOf(input.encrypted_key),
  salt: bytesOf(input.salt),
  keyUsed: input.key_used,
});

const hashOf = (body: Buffer): Buffer => createHash('sha256').update(body).digest();

type NewDraft = { readonly messageId: string; readonly madeId: string | undefined };

/** The part of a Message-ID before the @, of a draft that was made under a key and not saved by its id since. */
const unheardName = (digest: Buffer): string => `new.${digest.toString('hex')}`;

/**
 * The Message-ID of a new draft at the domain of `from`. Under an Idempotency-Key it is always the same but for the domain, by
 * which a repeat finds the draft that was made when the answer was lost, from whichever of the user's own addresses.
 */
async function nameDraft(
  deps: Deps,
  trx: Trx,
  userId: string,
  from: string,
  own: readonly string[],
  key: string | undefined,
): Promise<NewDraft> {
  const domain = idDomainOf(from, deps);
  if (key === undefined) return { messageId: createMessageId(domain), madeId: undefined };
  const digest = deps.masterKey.digest('new draft', userId, key).subarray(0, MESSAGE_ID_BYTES);
  const name = (at: string) => createMessageId(at, unheardName(digest));
  const names = [...new Set([from, ...own].map(address => name(idDomainOf(address, deps))))];
  return { messageId: name(domain), madeId: (await findDraftNamed(trx, userId, names))?.id };
}

/**
 * The Message-ID of a draft that is saved by its id: no repeat under its maker's key finds it any more. Who never heard of the id
 * is another device than who saves so, and would write over these words.
 */
const nameOfHeard = (messageId: string): string => messageId.replace(/^<new\.(?=[0-9a-f]{32}@)/, '<');

/** Makes an empty draft and returns its id; the one that was made under the key. Throws quota_exceeded, keys_replaced. */
export const createEmptyDraft = (
  deps: Deps,
  userId: string,
  input: EmptyInput,
  key: string | undefined,
): Promise<string> =>
  deps.db.transaction().execute(async trx => {
    await lockMailboxes(trx, [userId]);
    await requireKeysInUse(trx, userId, [input.key_used]);
    await requireRoom(trx, userId, 1);
    const own = await addressesOf(trx, userId);
    const [primary = ''] = own;
    const { messageId, madeId } = await nameDraft(deps, trx, userId, primary, own, key);
    if (madeId !== undefined) return madeId;
    const body = Buffer.alloc(0);
    return storeDraft(trx, {
      userId,
      flags: DRAFT_MASK,
      receivedAt: deps.clock.now(),
      headers: '',
      fromAddress: primary,
      ownAddress: primary,
      messageId,
      references: [],
      body,
      summary: null,
      binding: hashOf(body),
      ...ownWrap(input),
    });
  });

async function storeDraft(trx: Trx, mail: NewMail): Promise<string> {
  const [stored] = await storeMails(trx, [mail]);
  if (stored === undefined) throw new Error('A draft was taken for a repeated delivery');
  return stored.id;
}

const idDomainOf = (address: string, deps: Deps): string => domainOf(address) || deps.config.hostname;

/** Throws quota_exceeded unless this many more bytes fit. */
export async function requireRoom(trx: Trx | Deps['db'], userId: string, addedBytes: number): Promise<void> {
  if ((await getFreeBytes(trx, userId)) < addedBytes) throw new AppError('quota_exceeded');
}

/**
 * Creates a draft, or gives the one named draft_id, or made under the key and not saved by its id since, a new body, summary and
 * key wrap and moves it to now. Throws
 * sender_refused, message_refused, keys_replaced, quota_exceeded, and for draft_id not_found or draft_refused.
 */
export function saveDraft(
  deps: Deps,
  userId: string,
  input: DraftInput,
  key: string | undefined,
): Promise<string> {
  const body = readSealedBody(input.body);
  const summary = readSealedSummary(input.summary);
  return deps.db.transaction().execute(async trx => {
    await lockMailboxes(trx, [userId]);
    await requireKeysInUse(trx, userId, [input.key_used]);
    const own = await addressesOf(trx, userId);
    const from = normalizeAddress(input.used_address);
    if (!own.includes(from)) throw new AppError('sender_refused');
    await refuseForeignSignature(trx, userId, input.signature_id);
    const fresh = await nameDraft(deps, trx, userId, from, own, key);
    const oldId = input.draft_id ?? fresh.madeId;
    const old = oldId === undefined ? null : await lockDraft(trx, userId, oldId);
    const found = old === null ? null : await findDraft(trx, userId, old.id);
    const formerName = found?.message_id ?? fresh.messageId;
    const messageId = input.draft_id === undefined ? formerName : nameOfHeard(formerName);
    const inReplyTo = input.in_reply_to ? withBrackets(input.in_reply_to) : null;
    const references = (input.references ?? []).map(withBrackets);
    const receivedAt = deps.clock.now();
    const mail: NewMail = {
      userId,
      flags: DRAFT_MASK,
      receivedAt,
      headers: buildStoredHeaders({
        from: [{ name: '', address: from }],
        date: receivedAt,
        messageId,
        inReplyTo,
        references,
      }),
      fromAddress: from,
      ownAddress: from,
      messageId,
      references:
        inReplyTo === null || references.includes(inReplyTo) ? references : [...references, inReplyTo],
      body,
      summary,
      binding: hashOf(body),
      ...ownWrap(input),
    };
    await requireRoom(trx, userId, sizeOf(mail) - (found?.replaced_bytes ?? 0));
    if (old === null) return storeDraft(trx, mail);
    await replaceDraft(trx, old.id, mail);
    // It names its people itself now.
    await forgetScheduled(trx, userId, [old.id]);
    return old.id;
  });
}
