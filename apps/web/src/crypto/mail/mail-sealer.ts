// Seals what the composer writes, inside the key worker (docs/wire-format.md). A draft keeps one
// message key for its whole life, so that its files stay readable; that key never leaves this
// worker. An outgoing message has its own key, which leaves as `encryption_key` when a recipient
// has no keys.
import type { Email, Recipient } from '@keyfold/contract';
import { createFileKey, readAttachmentHeader, sealAttachment } from '@keyfold/crypto/attachment';
import {
  bindingOf,
  createMessageKey,
  decodeBase64,
  encodeBase64,
  sealForRecipients,
  sealMessage,
  wrapForSelf,
} from '@keyfold/crypto/message';
import { directoryNameOf, normalizeAddress } from '@keyfold/mail/address-form';
import { composeMessage } from '@keyfold/mail/mime/compose';
import { createMessageId } from '@keyfold/mail/mime/stored-headers';
import { summarize } from '@keyfold/mail/mime/summary';
import { stateFields } from '../keys/key-log-check.ts';
import { getVault, type HeldVault } from '../keys/vault-keeper.ts';
import type {
  MessageRecipient,
  OutgoingFile,
  OutgoingMessage,
  OwnWrap,
  SealedDraft,
  SealedMessage,
} from './outgoing-message.ts';

/** Message keys and owners of the drafts that are open in composers, by the composer's handle. */
const draftKeys = new Map<string, { readonly owner: string; readonly key: Uint8Array }>();

/**
 * A draft is only sealed for, or saved by, the user who began it: another user may have signed in
 * on the page since.
 */
function keyOf(handle: string): Uint8Array {
  const draft = draftKeys.get(handle);
  if (draft === undefined || draft.owner !== getVault().email)
    throw new Error('Missing second stage key bytes');
  return draft.key;
}

function keep(handle: string, key: Uint8Array): void {
  draftKeys.set(handle, { owner: getVault().email, key });
}

const selfKeys = ({ email, identity }: HeldVault) => ({
  email,
  sent_key: identity.sent_key,
  key_id: identity.key_id,
});

/**
 * Returns the message key of an open draft, wrapped for the user as a draft without a body carries
 * it (`/user/empty`).
 */
export async function wrapDraft(handle: string): Promise<OwnWrap> {
  const { second_stage_key_encrypted, salt, key_used } = await wrapForSelf(
    keyOf(handle),
    await bindingOf(new Uint8Array(0)),
    selfKeys(getVault()),
  );
  return { encrypted_key: second_stage_key_encrypted, salt, key_used };
}

/** Generates a message key for a new draft. */
export async function openNewDraft(handle: string): Promise<OwnWrap> {
  keep(handle, createMessageKey());
  return wrapDraft(handle);
}

/** Takes the message key from the result of wrapDraft. */
export async function openWrappedDraft(handle: string, wrap: OwnWrap): Promise<void> {
  keep(handle, await getVault().opener.openKey(wrap, await bindingOf(new Uint8Array(0))));
}

/** Takes the message key of a stored draft, so that saving it again keeps the key. */
export async function openStoredDraft(handle: string, draft: Email): Promise<void> {
  const { opener } = getVault();
  const binding = draft.body ? await bindingOf(draft.body) : await bindingOf(new Uint8Array(0));
  keep(handle, await opener.openKey(draft, binding));
}

/** Forgets a draft's key. */
export function closeDraft(handle: string): void {
  draftKeys.get(handle)?.key.fill(0);
  draftKeys.delete(handle);
}

function write(
  message: OutgoingMessage,
  withBcc: boolean,
  extraHeaders: [string, string][] = [],
): Uint8Array {
  const domain = message.from.address.split('@')[1] ?? 'localhost';
  return composeMessage({
    from: message.from,
    to: message.to,
    cc: message.cc,
    ...(withBcc && message.bcc.length > 0 ? { bcc: message.bcc } : {}),
    subject: message.subject,
    date: message.date === undefined ? new Date() : new Date(message.date),
    messageId: createMessageId(domain),
    inReplyTo: message.inReplyTo,
    references: message.references,
    text: message.text,
    html: message.html,
    calendar: message.calendar,
    extraHeaders,
    files: message.files.map(file => ({
      filename: file.name,
      mimeType: file.type,
      contentId: file.contentId,
      content: { id: file.id, key: file.fileKeyB64, sizeBytes: file.sizeBytes },
    })),
  });
}

/** Seals a draft for the user; its recipients are inside the payload, including Bcc. */
export async function sealDraft(handle: string, message: OutgoingMessage): Promise<SealedDraft> {
  const payload = write(message, true);
  const sealed = await sealMessage({
    payload,
    messageKey: keyOf(handle),
    recipients: [],
    self: selfKeys(getVault()),
    summary: await summarize(payload, new Date().toISOString()),
  });
  if (sealed.self === null || sealed.summary === null) throw new Error('Failed to encrypt message for self');
  const { second_stage_key_encrypted, salt, key_used } = sealed.self;
  return {
    body: sealed.message_encrypted,
    summary: sealed.summary,
    encrypted_key: second_stage_key_encrypted,
    salt,
    key_used,
  };
}

const nameOf = (address: string): string => directoryNameOf(normalizeAddress(address));

/**
 * Returns the keys of a recipient. For the user's own address, a directory answer with other keys,
 * or none, is rejected.
 */
function publicKeysOf({ email, keys }: MessageRecipient, { identity, email: own }: HeldVault) {
  if (nameOf(email) === nameOf(own) && keys?.fingerprint !== identity.key_id)
    throw new Error('Failed to encrypt message for self');
  if (keys === null) return { plaintext: true as const };
  const { mlkem_public, dh_public, fingerprint } = keys;
  if (fingerprint === identity.key_id)
    return { mlkem_public: identity.mlkem_public, dh_public: identity.dh_public, fingerprint };
  return { mlkem_public: decodeBase64(mlkem_public), dh_public: decodeBase64(dh_public), fingerprint };
}

/**
 * Seals a message for all recipients and for the user. Users who write to themselves get a
 * recipient's copy in addition to the sent one: only a wrap between keys proves who sent it
 * (docs/adr/0020). Bcc is left out of everything that recipients can open. Each copy has its own
 * key: a key that is given to the server must open neither the encrypted one of two copies nor the
 * draft, which contained other text before. The key of a recalled message, which is a draft again,
 * may also have been given to the server.
 */
export async function sealOutgoing(
  handle: string,
  message: OutgoingMessage,
  recipients: readonly MessageRecipient[],
): Promise<SealedMessage> {
  // Throws for another user's draft, or a closed one.
  keyOf(handle);
  const messageKey = createMessageKey();
  return sealUnder(messageKey, message, recipients).finally(() => messageKey.fill(0));
}

async function sealUnder(
  messageKey: Uint8Array,
  message: OutgoingMessage,
  recipients: readonly MessageRecipient[],
): Promise<SealedMessage> {
  const vault = getVault();
  const isSealed = recipients.every(({ keys }) => keys !== null);
  const payload = write(message, false, isSealed ? stateFields() : []);
  const sealed = await sealMessage({
    payload,
    messageKey,
    recipients: [],
    self: selfKeys(vault),
    summary: await summarize(payload, new Date().toISOString()),
  });
  if (sealed.self === null || sealed.summary === null) throw new Error('Failed to encrypt message for self');
  const own: Recipient = {
    email: message.from.address,
    sender: true,
    plaintext: false,
    encrypted_key: sealed.self.second_stage_key_encrypted,
    salt: sealed.self.salt,
    key_used: sealed.self.key_used,
  };
  const wrapped = await sealForRecipients({
    messageKey,
    binding: decodeBase64(sealed.binding),
    recipients: recipients.map(one => ({ email: one.email, ...publicKeysOf(one, vault) })),
    sender: { dh_private: vault.identity.dh_private, dh_public: vault.identity.dh_public },
  });
  const others = wrapped.recipients.map((entry, index): Recipient => {
    const kind = recipients[index]?.kind ?? 'to';
    if (entry.plaintext) return { email: entry.email, [kind]: true, plaintext: true };
    return {
      email: entry.email,
      [kind]: true,
      plaintext: false,
      encrypted_key: entry.second_stage_key_encrypted,
      salt: entry.salt,
      key_used: entry.key_used,
      ...('mlkem_ciphertext' in entry ? { ciphertext: entry.mlkem_ciphertext } : {}),
    };
  });
  return {
    body: sealed.message_encrypted,
    summary: sealed.summary,
    public_key: wrapped.public_key,
    to: [own, ...others],
    ...(isSealed ? {} : { encryption_key: encodeBase64(messageKey) }),
  };
}

async function* piecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/**
 * Seals a file into a container for an open draft; `onProgress` receives the completed fraction, 0
 * to 1.
 */
export async function sealFile(
  handle: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<{ readonly container: Blob; readonly fileKeyB64: string }> {
  const fileKey = createFileKey();
  const type = file.type || 'application/octet-stream';
  const pieces: BlobPart[] = [];
  let sealedBytes = 0;
  const meta = { name: file.name, type, size: file.size };
  for await (const piece of sealAttachment({
    messageKey: keyOf(handle),
    fileKey,
    meta,
    source: piecesOf(file),
  })) {
    // A separate Blob for each piece lets the browser keep a large file out of memory.
    pieces.push(new Blob([piece]));
    sealedBytes += piece.length;
    onProgress(file.size === 0 ? 1 : Math.min(1, sealedBytes / file.size));
  }
  const fileKeyB64 = encodeBase64(fileKey);
  fileKey.fill(0);
  return { container: new Blob(pieces), fileKeyB64 };
}

/**
 * Returns the data that a message needs about a file in an open draft, read from the head of its
 * container: for drafts that never named the file.
 */
export async function recoverFile(handle: string, id: string, head: Uint8Array): Promise<OutgoingFile> {
  const { fileKey, meta } = await readAttachmentHeader(keyOf(handle), head);
  const fileKeyB64 = encodeBase64(fileKey);
  fileKey.fill(0);
  return { id, fileKeyB64, name: meta.name, type: meta.type, sizeBytes: meta.size };
}
