/**
 * Drafts: creating an empty one to hold attachments, saving repeatedly, encrypted blobs, and what
 * sending takes from a draft (docs/spec-map.md 7.47, 7.48, docs/interpretations.md#21 to #24,
 * docs/wire-format.md#attachments). The server sees only sealed bytes. Recipients and subject are
 * inside the draft's payload, so the server does not store what a client says about them elsewhere
 * in the request.
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

/**
 * Returns the encrypted blobs of a user's draft. Throws not_found, or draft_refused for a message
 * that is not a draft.
 */
export async function draftContainers(trx: Trx, userId: string, draftId: string): Promise<Container[]> {
  await lockDraft(trx, userId, draftId);
  return containersOf(trx, userId, draftId);
}

/**
 * Removes a draft from its mailbox in the transaction that sends it, and returns its encrypted
 * blobs, which the sent messages then refer to. The caller must already have locked the mailboxes
 * of the sender and all recipients. Throws not_found, or draft_refused for a message that is not a
 * draft.
 */
export async function takeDraft(trx: Trx, userId: string, draftId: string): Promise<Container[]> {
  const containers = await draftContainers(trx, userId, draftId);
  await removeMails(trx, userId, [draftId]);
  await forgetScheduled(trx, userId, [draftId]);
  return containers;
}

/**
 * Returns the encrypted blobs with these ids, each referred to by one of the user's messages: the
 * ones that a forwarded message may pass on (docs/interpretations.md#24). Repeated ids count once.
 * Throws not_found when a blob does not exist or none of the user's messages refers to it.
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

/**
 * Returns a Message-ID in angle brackets. Throws message_refused when it contains control
 * characters, which are not allowed in headers.
 */
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

/**
 * Returns the Message-ID's left part for a draft that was created under an idempotency key and has
 * not been saved by its id since.
 */
const unheardName = (digest: Buffer): string => `new.${digest.toString('hex')}`;

/**
 * Returns the Message-ID of a new draft at the domain of `from`. Under an Idempotency-Key it is
 * always the same except for the domain. If the response was lost, a repeated request therefore
 * finds the draft it created, from any of the user's addresses.
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
 * Returns the Message-ID of a draft that is saved by its id. Repeats under the key that created it
 * no longer find it: a device that never learned the id is not the device that saves by it, and
 * would overwrite this text.
 */
const nameOfHeard = (messageId: string): string => messageId.replace(/^<new\.(?=[0-9a-f]{32}@)/, '<');

/**
 * Creates an empty draft, or finds the one created under the key, and returns its id. Throws
 * quota_exceeded, keys_replaced.
 */
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
  if (stored === undefined) throw new Error('A draft was mistaken for a repeated delivery');
  return stored.id;
}

const idDomainOf = (address: string, deps: Deps): string => domainOf(address) || deps.config.hostname;

/** Throws quota_exceeded unless this many more bytes fit into the quota. */
export async function requireRoom(trx: Trx | Deps['db'], userId: string, addedBytes: number): Promise<void> {
  if ((await getFreeBytes(trx, userId)) < addedBytes) throw new AppError('quota_exceeded');
}

/**
 * Creates a draft, or updates an existing one: the one named by draft_id, or the one created under
 * the key and not saved by its id since. An update replaces body, summary and key wrap and sets the
 * time to now. Throws sender_refused, message_refused, keys_replaced, quota_exceeded, and for
 * draft_id not_found or draft_refused.
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
    // The draft now contains its recipients itself.
    await forgetScheduled(trx, userId, [old.id]);
    return old.id;
  });
}
