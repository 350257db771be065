/**
 * Seals one external message to its recipients (docs/wire-format.md): large files into containers,
 * the rest into the body, a summary for lists, and one wrap of the message key per recipient. Works
 * on bytes only, so that it can run in a worker thread: no storage, no I/O. The message key is
 * wiped before the result is returned.
 */
import { createHash, randomUUIDv7 } from 'node:crypto';
import { createFileKey, sealWholeAttachment } from '@keyfold/crypto/attachment';
import {
  createMessageKey,
  decodeBase64,
  encodeBase64,
  type MessageSummary,
  sealForRecipients,
  sealPayload,
  sealSummary,
} from '@keyfold/crypto/message';
import { detachAttachments, finishDetach } from '@keyfold/mail/mime/detach';
import { type HeaderField, readHeaders } from '@keyfold/mail/mime/headers';
import { neutralizeReferences } from '@keyfold/mail/mime/inert';
import { summarize, summaryPeople } from '@keyfold/mail/mime/summary';
import { type ClearHeaders, readClearHeaders } from './clear-headers.ts';

export type SealKeys = {
  readonly email: string;
  readonly mlkemPublic: Uint8Array;
  readonly dhPublic: Uint8Array;
  readonly fingerprint: string;
};

export type SealInput = {
  readonly raw: Uint8Array;
  readonly recipients: readonly SealKeys[];
  readonly detachMinBytes: number;
  readonly hostname: string;
  /** ISO 8601; used when the message has no date. */
  readonly receivedAt: string;
  /** False: seal the message in one piece without parsing it, because parsing has failed. */
  readonly isExamined: boolean;
};

export type SealedContainer = { readonly id: string; readonly bytes: Uint8Array };

export type KeyWrap = {
  readonly ciphertext: Uint8Array;
  readonly encryptedKey: Uint8Array;
  readonly salt: Uint8Array;
  readonly keyUsed: string;
};

export type SealedInbound = {
  readonly clear: ClearHeaders;
  readonly body: Uint8Array;
  readonly binding: Uint8Array;
  readonly summary: Uint8Array;
  readonly dhPublic: Uint8Array;
  /** One per recipient, in order. */
  readonly wraps: readonly KeyWrap[];
  readonly containers: readonly SealedContainer[];
  readonly hasAttachments: boolean;
  /** SHA-256 of the message as received. */
  readonly rawHash: Uint8Array;
};

/**
 * Seals a message. Rejects only when a recipient's keys are unusable, never because of the
 * message's content.
 */
export async function sealInbound(input: SealInput): Promise<SealedInbound> {
  const messageKey = createMessageKey();
  try {
    const clear = readClearHeaders(fieldsOf(input), input.hostname);
    const { payload, containers } = await makePayload(input, messageKey);
    const summary = await summaryOf(input, payload, clear);
    const { body, binding } = await sealPayload(payload, messageKey);
    const { public_key, recipients } = await sealForRecipients({
      messageKey,
      binding,
      recipients: input.recipients.map(keys => ({
        email: keys.email,
        mlkem_public: keys.mlkemPublic,
        dh_public: keys.dhPublic,
        fingerprint: keys.fingerprint,
      })),
    });
    return {
      clear,
      body,
      binding,
      summary: decodeBase64(await sealSummary(messageKey, binding, summary)),
      dhPublic: decodeBase64(public_key),
      wraps: recipients.map(entry => {
        if (!('mlkem_ciphertext' in entry)) throw new Error('A recipient has no wrapped message key');
        return {
          ciphertext: decodeBase64(entry.mlkem_ciphertext),
          encryptedKey: decodeBase64(entry.second_stage_key_encrypted),
          salt: decodeBase64(entry.salt),
          keyUsed: entry.key_used,
        };
      }),
      containers,
      hasAttachments: containers.length > 0 || summary.attachments > 0,
      rawHash: createHash('sha256').update(input.raw).digest(),
    };
  } finally {
    messageKey.fill(0);
  }
}

function fieldsOf(input: SealInput): HeaderField[] {
  try {
    return readHeaders(input.raw);
  } catch {
    return [];
  }
}

async function makePayload(
  input: SealInput,
  messageKey: Uint8Array,
): Promise<{ payload: Uint8Array; containers: SealedContainer[] }> {
  // An empty body cannot be sealed; a blank line represents a message of zero bytes.
  if (input.raw.length === 0) return { payload: Buffer.from('\r\n'), containers: [] };
  if (!input.isExamined) return { payload: neutralizeReferences(input.raw), containers: [] };
  const plan = detachAttachments(input.raw, input.detachMinBytes);
  const containers: SealedContainer[] = [];
  const references: { id: string; key: string }[] = [];
  for (const file of plan.detached) {
    const id = randomUUIDv7();
    const fileKey = createFileKey();
    try {
      const meta = { name: (file.name ?? '').slice(0, 1000), type: file.type, size: file.bytes.length };
      containers.push({
        id,
        bytes: await sealWholeAttachment({ messageKey, fileKey, meta, bytes: file.bytes }),
      });
      references.push({ id, key: encodeBase64(fileKey) });
    } finally {
      fileKey.fill(0);
    }
  }
  return { payload: finishDetach(plan, references), containers };
}

async function summaryOf(
  input: SealInput,
  payload: Uint8Array,
  clear: ClearHeaders,
): Promise<MessageSummary> {
  if (input.isExamined) {
    try {
      return await summarize(payload, input.receivedAt);
    } catch {
      // A message that cannot be parsed gets a summary from its header.
    }
  }
  return {
    subject: '',
    ...summaryPeople({ from: clear.from[0] ?? null, to: clear.to, cc: clear.cc }),
    date: clear.date ?? input.receivedAt,
    snippet: '',
    attachments: 0,
    invite: false,
  };
}
