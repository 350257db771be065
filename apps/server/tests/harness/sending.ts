/**
 * Sends as a client makes them: composes a message, encrypts it to its readers with the sender's
 * real keys, and builds the request. Also decrypts the results with the reader's real keys.
 */
import type { api, Email, InputOf } from '@keyfold/contract';
import {
  createMessageKey,
  type RecipientEntry,
  type SealRecipient,
  sealMessage,
} from '@keyfold/crypto/message';
import { createOpener } from '@keyfold/crypto/opener';
import type { TestUser } from './users.ts';

export type SendRequest = InputOf<typeof api.sending.send_private>;

/** A reader with keys on this server, or an outside address. */
export type Reader = TestUser | string;

export type TestMessage = {
  readonly to?: readonly Reader[];
  readonly cc?: readonly Reader[];
  readonly bcc?: readonly Reader[];
  readonly subject?: string;
  readonly text?: string;
  /** The whole inner message, instead of one built from the other fields. */
  readonly payload?: string | Uint8Array;
  readonly messageKey?: Uint8Array;
  readonly attachments?: number;
};

const addressOf = (reader: Reader): string => (typeof reader === 'string' ? reader : reader.email);

const toSeal = (reader: Reader): SealRecipient =>
  typeof reader === 'string'
    ? { email: reader, plaintext: true }
    : {
        email: reader.email,
        mlkem_public: reader.identity.mlkem_public,
        dh_public: reader.identity.dh_public,
      };

const toWire = (entry: RecipientEntry) =>
  entry.plaintext
    ? { email: entry.email, plaintext: true }
    : {
        email: entry.email,
        encrypted_key: entry.second_stage_key_encrypted,
        salt: entry.salt,
        key_used: entry.key_used,
        plaintext: false,
        ...('mlkem_ciphertext' in entry ? { ciphertext: entry.mlkem_ciphertext } : {}),
      };

/** Returns the inner message of a test message. */
export const composeInner = (sender: TestUser, message: TestMessage): string =>
  [
    `From: "${sender.user.name}" <${sender.email}>`,
    ...(['to', 'cc'] as const).flatMap(kind => {
      const list = (message[kind] ?? []).map(addressOf);
      return list.length === 0 ? [] : [`${kind === 'to' ? 'To' : 'Cc'}: ${list.join(', ')}`];
    }),
    `Subject: ${message.subject ?? 'Hello'}`,
    'Date: Sat, 21 Nov 2026 10:00:00 +0000',
    'Message-ID: <inner@client.invalid>',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    message.text ?? 'Good morning',
    '',
  ].join('\r\n');

/** Encrypts a message and returns the request that sends it. */
export async function sealTestMessage(sender: TestUser, message: TestMessage): Promise<SendRequest> {
  const readers = (['to', 'cc', 'bcc'] as const).flatMap(kind =>
    (message[kind] ?? []).map(reader => ({ kind, reader })),
  );
  const payload = message.payload ?? composeInner(sender, message);
  const self = {
    email: sender.email,
    sent_key: sender.identity.sent_key,
    key_id: sender.identity.key_id,
  };
  const sealed = await sealMessage({
    payload: typeof payload === 'string' ? new TextEncoder().encode(payload) : payload,
    messageKey: message.messageKey ?? createMessageKey(),
    recipients: readers.map(({ reader }) => toSeal(reader)),
    sender: sender.identity,
    self,
    summary: {
      subject: message.subject ?? 'Hello',
      from: { name: sender.user.name, address: sender.email },
      to: [],
      cc: [],
      date: '2026-11-21T10:00:00.000Z',
      snippet: message.text ?? 'Good morning',
      attachments: message.attachments ?? 0,
      invite: false,
    },
  });
  const entries = sealed.recipients.map((entry, index) => ({
    ...toWire(entry),
    [readers[index]?.kind ?? 'to']: true,
  }));
  return {
    used_address: sender.email,
    subject: '[...]',
    content_type: 'message/rfc822; hp="cipher"',
    body: sealed.message_encrypted,
    summary: sealed.summary ?? '',
    public_key: sealed.public_key,
    undo_seconds: 0,
    to: [...entries, ...(sealed.self === null ? [] : [{ ...toWire(sealed.self), sender: true }])],
    ...(sealed.encryption_key === null ? {} : { encryption_key: sealed.encryption_key }),
  };
}

/** Returns the payload of a message, decrypted as in its reader's client. */
export async function openMail(reader: TestUser, mail: Email): Promise<string> {
  const opener = await createOpener(reader.identity);
  const { payload } = await opener.open({ ...mail, body: mail.body ?? '' });
  return new TextDecoder().decode(payload);
}
