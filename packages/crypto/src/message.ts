// Seals messages, and opens bodies when the message key is available (docs/wire-format.md#sealing;
// docs/spec-map.md 9). Server and client both use this file. Opening with a private key is in
// opener.ts, vaults and passwords are in vault.ts and login.ts; this file imports none of them. It
// wipes the secrets it creates and leaves callers' keys alone. [Note: Binding] AES-CBC alone is
// malleable. B = SHA-256(IV || ciphertext) is the associated data of every key wrap and of the
// summary, so after any change to a body its key no longer unwraps. Nothing opens without that
// check.

import { openBody, sealBody, toBodyBytes } from './body.ts';
import { encodeBase64, equalBytes, requireSize } from './bytes.ts';
import { CryptoError, failAs } from './errors.ts';
import { fingerprintOf } from './fingerprint.ts';
import { sealBox } from './gcm-box.ts';
import { agreeAsSender, selfWrapKey } from './hybrid.ts';
import { BINDING_BYTES, MESSAGE_KEY_BYTES, SENT_KEY_BYTES, WRAP_SALT_BYTES } from './params.ts';
import type { Bytes } from './platform.ts';
import type { Primitives, X25519Key } from './primitives/port.ts';
import { getPrimitives, randomBytes } from './primitives/select.ts';
import { openSummaryWith, sealSummaryWith } from './summary.ts';
import type {
  KeyedEntry,
  KeyedRecipient,
  MessageSummary,
  RecipientEntry,
  SealRecipient,
  SelfEntry,
  SelfKeys,
  SenderKeys,
} from './wire.ts';

export { decodeBase64, encodeBase64 } from './bytes.ts';
export type { Bytes } from './platform.ts';
export type * from './wire.ts';

/** Input of {@link sealMessage}. Inputs are never modified or wiped. */
export type SealInput = {
  readonly payload: Uint8Array;
  /** 32 bytes from {@link createMessageKey}; a draft keeps the same key for its lifetime. */
  readonly messageKey: Uint8Array;
  readonly recipients: readonly SealRecipient[];
  /**
   * When absent, a fresh X25519 pair is created for this message and discarded (mail from outside).
   */
  readonly sender?: SenderKeys;
  /**
   * When present, the sender's own copy is wrapped too, and recipients with the same keys use that
   * wrap.
   */
  readonly self?: SelfKeys;
  readonly summary?: MessageSummary;
};

/** Sealed message with wire names; binary values are base64. */
export type SealedMessage = {
  readonly message_encrypted: string;
  /** The sender's X25519 public key. */
  readonly public_key: string;
  readonly recipients: readonly RecipientEntry[];
  readonly self: SelfEntry | null;
  readonly summary: string | null;
  /** B, 32 bytes; the server stores it beside the summary. */
  readonly binding: string;
  /**
   * Message key, present only when a recipient has no keys; with it the server can open the whole
   * message.
   */
  readonly encryption_key: string | null;
};

/** Returns a fresh random message key of 32 bytes. The caller wipes it. */
export function createMessageKey(): Bytes {
  return randomBytes(MESSAGE_KEY_BYTES);
}

/**
 * Returns B = SHA-256(IV || ciphertext) of a body, base64 or raw, or of zero bytes for a draft that
 * has no body yet.
 */
export async function bindingOf(body: string | Uint8Array): Promise<Bytes> {
  const primitives = await getPrimitives();
  return failAs('decrypt_failed', async () => primitives.sha256(toBodyBytes(body)));
}

/**
 * Seals a payload for recipients and, on request, for the sender. Fails as a whole: no entry is
 * ever omitted.
 */
export async function sealMessage(input: SealInput): Promise<SealedMessage> {
  const { messageKey, recipients, self } = input;
  const { body, binding } = await sealPayload(input.payload, messageKey);
  const [ownEntry, summary] = await Promise.all([
    self === undefined ? null : wrapForSelf(messageKey, binding, self),
    input.summary === undefined ? null : sealSummary(messageKey, binding, input.summary),
  ]);
  const wrapped = await sealForRecipients({
    messageKey,
    binding,
    recipients,
    ...(input.sender && { sender: input.sender }),
    ...(ownEntry && { ownEntry }),
  });
  const hasPlaintext = wrapped.recipients.some(entry => entry.plaintext);
  return {
    message_encrypted: encodeBase64(body),
    public_key: wrapped.public_key,
    recipients: wrapped.recipients,
    self: ownEntry,
    summary,
    binding: encodeBase64(binding),
    encryption_key: hasPlaintext ? encodeBase64(messageKey) : null,
  };
}

/** Seals only a payload: returns the raw body IV || ciphertext and its binding. */
export async function sealPayload(
  payload: Uint8Array,
  messageKey: Uint8Array,
): Promise<{ readonly body: Bytes; readonly binding: Bytes }> {
  if (messageKey === undefined || messageKey === null || messageKey.length === 0)
    throw new CryptoError('missing_second_stage_key_bytes');
  if (payload === undefined || payload === null || payload.length === 0)
    throw new CryptoError('empty_message');
  return failAs('encrypt_failed', async () => sealBody(await getPrimitives(), payload, messageKey));
}

/**
 * Wraps a message key for recipients of an already sealed body. Without `sender`, a fresh X25519
 * pair is created and discarded. Throws 'Failed to generate dh shared secret' for a low-order key.
 * `ownEntry` serves recipients that are the sender.
 */
export async function sealForRecipients(input: {
  readonly messageKey: Uint8Array;
  readonly binding: Uint8Array;
  readonly recipients: readonly SealRecipient[];
  readonly sender?: SenderKeys;
  readonly ownEntry?: SelfEntry;
}): Promise<{ readonly public_key: string; readonly recipients: readonly RecipientEntry[] }> {
  const { messageKey, binding, ownEntry } = input;
  if (messageKey === undefined || messageKey === null || messageKey.length === 0)
    throw new CryptoError('missing_second_stage_key_bytes');
  const work = async () => {
    requireSize(messageKey, MESSAGE_KEY_BYTES, 'Message key');
    requireSize(binding, BINDING_BYTES, 'Binding');
    const primitives = await getPrimitives();
    const { key, publicKey } = await loadSender(primitives, input.sender);
    try {
      const wraps = input.recipients.map(recipient =>
        entryFor(primitives, key, messageKey, binding, recipient, ownEntry),
      );
      // Waits for all wraps before wiping `key`, even when one fails.
      await Promise.allSettled(wraps);
      return { public_key: encodeBase64(publicKey), recipients: await Promise.all(wraps) };
    } finally {
      key.wipe();
    }
  };
  return failAs('encrypt_failed', work, ['dh_failed']);
}

/**
 * Wraps a message key under the user's own sent_key: for sent copies, drafts, `empty`, and messages
 * opened once (rewrapping).
 */
export async function wrapForSelf(
  messageKey: Uint8Array,
  binding: Uint8Array,
  self: SelfKeys,
): Promise<SelfEntry> {
  if (messageKey === undefined || messageKey === null || messageKey.length === 0)
    throw new CryptoError('missing_second_stage_key_bytes');
  return failAs('encrypt_self_failed', async () => {
    requireSize(messageKey, MESSAGE_KEY_BYTES, 'Message key');
    requireSize(binding, BINDING_BYTES, 'Binding');
    requireSize(self.sent_key, SENT_KEY_BYTES, 'sent_key');
    const primitives = await getPrimitives();
    const salt = primitives.random(WRAP_SALT_BYTES);
    const sentKey = await primitives.hkdfSha256(self.sent_key);
    const wrapKey = await selfWrapKey(sentKey, salt).finally(() => sentKey.wipe());
    try {
      return {
        email: self.email,
        second_stage_key_encrypted: encodeBase64(await sealBox(primitives, wrapKey, messageKey, binding)),
        salt: encodeBase64(salt),
        key_used: self.key_id,
        plaintext: false,
      };
    } finally {
      wrapKey.wipe();
    }
  });
}

/** Seals the summary of the body with this binding. */
export async function sealSummary(
  messageKey: Uint8Array,
  binding: Uint8Array,
  summary: MessageSummary,
): Promise<string> {
  return failAs('encrypt_failed', async () =>
    sealSummaryWith(await getPrimitives(), messageKey, binding, summary),
  );
}

/** Opens a summary with the message key. */
export async function openSummary(
  messageKey: Uint8Array,
  binding: Uint8Array,
  sealed: string,
): Promise<MessageSummary> {
  return failAs('decrypt_failed', async () =>
    openSummaryWith(await getPrimitives(), messageKey, binding, sealed),
  );
}

/**
 * Opens a body with the message key. Pass `proof` whenever one is available: the binding that the
 * key wrap authenticated, or the sealed summary. Without it the only check is the padding ([Note:
 * Binding]), which is sufficient only for a body that arrived together with its key from the same
 * sender.
 */
export async function openWithMessageKey(
  body: string | Uint8Array,
  messageKey: Uint8Array,
  proof: { readonly binding?: Uint8Array; readonly summary?: string } = {},
): Promise<Bytes> {
  return failAs('decrypt_failed', async () => {
    const primitives = await getPrimitives();
    const raw = toBodyBytes(body);
    if (proof.binding !== undefined || proof.summary !== undefined) {
      const binding = await primitives.sha256(raw);
      if (proof.binding !== undefined && !equalBytes(binding, proof.binding))
        throw new Error('Body does not fit its binding');
      if (proof.summary !== undefined) await openSummaryWith(primitives, messageKey, binding, proof.summary);
    }
    return openBody(primitives, raw, messageKey);
  });
}

async function loadSender(
  primitives: Primitives,
  sender: SenderKeys | undefined,
): Promise<{ readonly key: X25519Key; readonly publicKey: Uint8Array }> {
  if (sender === undefined) return primitives.x25519.ephemeral();
  return { key: await primitives.x25519.load(sender.dh_private), publicKey: sender.dh_public };
}

async function entryFor(
  primitives: Primitives,
  sender: X25519Key,
  messageKey: Uint8Array,
  binding: Uint8Array,
  recipient: SealRecipient,
  ownEntry: SelfEntry | undefined,
): Promise<RecipientEntry> {
  const email = typeof recipient === 'string' ? recipient : recipient.email;
  if (ownEntry !== undefined && sameAddress(email, ownEntry.email)) return { ...ownEntry, email };
  if (typeof recipient === 'string' || 'plaintext' in recipient) return { email, plaintext: true };
  return keyedEntry(primitives, sender, messageKey, binding, recipient, ownEntry);
}

async function keyedEntry(
  primitives: Primitives,
  sender: X25519Key,
  messageKey: Uint8Array,
  binding: Uint8Array,
  recipient: KeyedRecipient,
  ownEntry: SelfEntry | undefined,
): Promise<KeyedEntry | SelfEntry> {
  const salt = primitives.random(WRAP_SALT_BYTES);
  const [keyUsed, { wrapKey, ciphertext }] = await Promise.all([
    fingerprintOf(recipient),
    agreeAsSender(primitives, sender, recipient, salt),
  ]);
  try {
    if (recipient.fingerprint !== undefined && recipient.fingerprint !== keyUsed)
      throw new Error('Fingerprint does not fit the keys');
    if (ownEntry?.key_used === keyUsed) return { ...ownEntry, email: recipient.email };
    return {
      email: recipient.email,
      mlkem_ciphertext: encodeBase64(ciphertext),
      second_stage_key_encrypted: encodeBase64(await sealBox(primitives, wrapKey, messageKey, binding)),
      salt: encodeBase64(salt),
      key_used: keyUsed,
      plaintext: false,
    };
  } finally {
    wrapKey.wipe();
  }
}

function sameAddress(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
