// Opens messages with the user's private keys (docs/wire-format.md#sealing). An Opener is created
// once per unlocked vault and holds the keys in the form that is fastest for their primitives. It
// belongs in a worker, never on a server. [Note: One sender, one secret] X25519 between two static
// keys always yields the same secret, so an Opener caches the last few hundred by sender. They
// reveal no more than the private key it already holds.

import { openBody, toBodyBytes } from './body.ts';
import { decodeBase64, encodeBase64, requireSize, wipe } from './bytes.ts';
import { CryptoError, failAs } from './errors.ts';
import { openBox, sealBox } from './gcm-box.ts';
import { agreeAsReader, agreeDh, selfWrapKey } from './hybrid.ts';
import { BINDING_BYTES, MESSAGE_KEY_BYTES, SENT_KEY_BYTES, WRAP_SALT_BYTES } from './params.ts';
import type { Bytes } from './platform.ts';
import type { GcmKey, HkdfKey, MlKemKey, Primitives, X25519Key } from './primitives/port.ts';
import { getPrimitives } from './primitives/select.ts';
import { openSummaryWith } from './summary.ts';
import type { Identity, MessageSummary, ReceivedMessage, ReceivedSummary, ReceivedWrap } from './wire.ts';

export type * from './wire.ts';

const KEPT_SECRETS = 256;

/**
 * Path that opened a message. `hybrid`: ML-KEM and X25519, so the sealer held the private key of
 * `dh_public`, or the reader's. `self`: the user's own sent_key; then nothing binds `dh_public`,
 * and the server may have created the message.
 */
export type OpenPath = 'hybrid' | 'self';

/**
 * Opened message; `messageKey` is the specification's symmetric_key and also opens the headers of
 * its attachments.
 */
export type OpenedMessage = {
  readonly payload: Bytes;
  readonly messageKey: Bytes;
  readonly binding: Bytes;
  readonly path: OpenPath;
};

/** Message key wrapped for its owner, with the names of a received message. */
export type SelfWrap = {
  readonly encrypted_key: string;
  readonly salt: string;
  readonly key_used: string;
};

/**
 * Opens messages for one identity until closed. Every method fails as a whole, with the texts of
 * docs/spec-map.md 5, 8.
 */
export type Opener = {
  /**
   * Opens a message with its body. The binding is recomputed from the body, never taken from the
   * server.
   */
  open(message: ReceivedMessage): Promise<OpenedMessage>;
  /** Unwraps only the message key, for the given binding (base64 or 32 bytes). */
  openKey(wrap: ReceivedWrap, binding: string | Uint8Array): Promise<Bytes>;
  /** Opens a list row. A wrong binding from the server causes an error, never a wrong row. */
  openSummary(
    row: ReceivedSummary,
  ): Promise<{ readonly summary: MessageSummary; readonly messageKey: Bytes }>;
  /** Wraps an already opened message key under sent_key, so that later lists need no KEM. */
  wrapForSelf(messageKey: Uint8Array, binding: string | Uint8Array): Promise<SelfWrap>;
  /** Wipes the keys; later calls fail. */
  close(): void;
};

type LoadedKeys = {
  readonly primitives: Primitives;
  readonly mlkem: MlKemKey;
  readonly dh: X25519Key;
  readonly sent: HkdfKey;
  readonly keyId: string;
  /** Shared secrets by sender public key in base64, oldest first. */
  readonly secrets: Map<string, Promise<Bytes>>;
};

/**
 * Creates an {@link Opener}. The identity is copied; the original stays the caller's and is not
 * modified.
 */
export async function createOpener(
  identity: Pick<Identity, 'mlkem_private' | 'dh_private' | 'sent_key' | 'key_id'>,
): Promise<Opener> {
  const loaded = await failAs('decrypt_failed', () => load(identity));
  let keys: LoadedKeys | null = loaded;
  const held = (): LoadedKeys => {
    if (keys === null) throw new CryptoError('decrypt_failed', new Error('Opener is closed'));
    return keys;
  };
  return {
    open: async message => openMessage(held(), message),
    openKey: async (wrap, binding) =>
      failAs(failureOf(wrap), async () => unwrapKey(held(), wrap, toBinding(binding))),
    openSummary: async row => openRow(held(), row),
    wrapForSelf: async (messageKey, binding) => wrapKeyForSelf(held(), messageKey, binding),
    close: () => {
      if (keys === null) return;
      keys = null;
      loaded.mlkem.wipe();
      loaded.dh.wipe();
      loaded.sent.wipe();
      for (const secret of loaded.secrets.values()) secret.then(wipe, () => undefined);
      loaded.secrets.clear();
    },
  };
}

async function load(
  identity: Pick<Identity, 'mlkem_private' | 'dh_private' | 'sent_key' | 'key_id'>,
): Promise<LoadedKeys> {
  requireSize(identity.sent_key, SENT_KEY_BYTES, 'sent_key');
  const primitives = await getPrimitives();
  const [mlkem, dh, sent] = await Promise.all([
    primitives.mlkem1024.fromSeed(identity.mlkem_private),
    primitives.x25519.load(identity.dh_private),
    primitives.hkdfSha256(identity.sent_key),
  ]);
  return { primitives, mlkem, dh, sent, keyId: identity.key_id, secrets: new Map() };
}

async function openMessage(keys: LoadedKeys, message: ReceivedMessage): Promise<OpenedMessage> {
  return failAs(failureOf(message), async () => {
    requireWrap(message);
    const body = toBodyBytes(message.body);
    const binding = keys.primitives.sha256(body);
    const messageKey = await unwrapKey(keys, message, binding);
    try {
      const payload = await openBody(keys.primitives, body, messageKey);
      return { payload, messageKey, binding: await binding, path: isHybrid(message) ? 'hybrid' : 'self' };
    } catch (error) {
      wipe(messageKey);
      throw error;
    }
  });
}

async function openRow(
  keys: LoadedKeys,
  row: ReceivedSummary,
): Promise<{ readonly summary: MessageSummary; readonly messageKey: Bytes }> {
  return failAs(failureOf(row), async () => {
    requireWrap(row);
    const binding = toBinding(row.binding);
    const messageKey = await unwrapKey(keys, row, binding);
    try {
      return {
        summary: await openSummaryWith(keys.primitives, messageKey, binding, row.summary),
        messageKey,
      };
    } catch (error) {
      wipe(messageKey);
      throw error;
    }
  });
}

async function unwrapKey(
  keys: LoadedKeys,
  wrap: ReceivedWrap,
  binding: Uint8Array | Promise<Uint8Array>,
): Promise<Bytes> {
  const { encryptedKey, saltB64 } = requireWrap(wrap);
  const salt = decodeBase64(saltB64);
  requireSize(salt, WRAP_SALT_BYTES, 'Salt');
  const box = decodeBase64(encryptedKey);
  const [wrapKey, associatedData] = await Promise.all([readerWrapKey(keys, wrap, salt), binding]);
  const messageKey = await openBox(wrapKey, box, associatedData).finally(() => wrapKey.wipe());
  requireSize(messageKey, MESSAGE_KEY_BYTES, 'Message key');
  return messageKey;
}

async function readerWrapKey(keys: LoadedKeys, wrap: ReceivedWrap, salt: Uint8Array): Promise<GcmKey> {
  if (!isHybrid(wrap)) return selfWrapKey(keys.sent, salt);
  return agreeAsReader(
    keys.primitives,
    keys.mlkem,
    decodeBase64(wrap.ciphertext),
    sharedWithSender(keys, wrap.dh_public),
    salt,
  );
}

// [Note: One sender, one secret]. Evicted secrets are dropped, not wiped, because a running call
// may still read them.
function sharedWithSender(keys: LoadedKeys, senderB64: string): Promise<Bytes> {
  const known = keys.secrets.get(senderB64);
  if (known !== undefined) return known;
  const secret = (async () => agreeDh(keys.dh, decodeBase64(senderB64)))();
  keys.secrets.set(senderB64, secret);
  secret.catch(() => keys.secrets.delete(senderB64));
  if (keys.secrets.size > KEPT_SECRETS) {
    const oldest = keys.secrets.keys().next().value;
    if (oldest !== undefined) keys.secrets.delete(oldest);
  }
  return secret;
}

async function wrapKeyForSelf(
  keys: LoadedKeys,
  messageKey: Uint8Array,
  binding: string | Uint8Array,
): Promise<SelfWrap> {
  return failAs('encrypt_self_failed', async () => {
    requireSize(messageKey, MESSAGE_KEY_BYTES, 'Message key');
    const associatedData = toBinding(binding);
    const salt = keys.primitives.random(WRAP_SALT_BYTES);
    const wrapKey = await selfWrapKey(keys.sent, salt);
    try {
      const box = await sealBox(keys.primitives, wrapKey, messageKey, associatedData);
      return { encrypted_key: encodeBase64(box), salt: encodeBase64(salt), key_used: keys.keyId };
    } finally {
      wrapKey.wipe();
    }
  });
}

// docs/spec-map.md 5 fixes these two texts; both checks precede any cryptography.
function requireWrap(wrap: ReceivedWrap): { readonly encryptedKey: string; readonly saltB64: string } {
  if (!wrap.salt) throw new CryptoError('missing_salt');
  if (!wrap.encrypted_key) throw new CryptoError('missing_second_stage_key');
  return { encryptedKey: wrap.encrypted_key, saltB64: wrap.salt };
}

function toBinding(binding: string | Uint8Array): Uint8Array {
  const bytes = typeof binding === 'string' ? decodeBase64(binding) : binding;
  requireSize(bytes, BINDING_BYTES, 'Binding');
  return bytes;
}

function isHybrid(
  wrap: ReceivedWrap,
): wrap is ReceivedWrap & { readonly ciphertext: string; readonly dh_public: string } {
  return Boolean(wrap.ciphertext && wrap.dh_public);
}

function failureOf(wrap: ReceivedWrap): 'decrypt_failed' | 'decrypt_self_failed' {
  return isHybrid(wrap) ? 'decrypt_failed' : 'decrypt_self_failed';
}
